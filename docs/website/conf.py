"""What Sphinx is told; ``build.py`` gives the language and puts the pages into their places."""

import gc
from typing import Any

from pygments.lexers.special import TextLexer

gc.disable()  # trees of pages point back at themselves, and all stay until the site is made
project = "rating-ledger"
author = "The rating ledger maintainers"
html_title = project
html_show_copyright = False
extensions = ["myst_parser"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
exclude_patterns = ["files"]  # those are given as they are
templates_path = ["."]
html_theme = "furo"
html_copy_source = False
html_static_path: list[str] = []
html_theme_options = {"top_of_page_buttons": []}
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "languages.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}


def setup(app: Any) -> None:
    """Tells Sphinx how tables are coloured: not at all."""
    app.add_lexer("csv", TextLexer)
