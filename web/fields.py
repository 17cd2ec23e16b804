"""Values that forms and addresses bring, with the bounds that all of them have."""

from __future__ import annotations

from typing import Annotated, Final

from fastapi import Form, Query

LARGEST: Final = 2**53
"""Of numbers: browsers and JSON count exactly as far."""
MOST_TYPED: Final = 300
"""Characters of a field."""
Typed = Annotated[str, Form(max_length=MOST_TYPED)]
"""A field that somebody types into."""
Before = Annotated[int | None, Query(ge=1, le=LARGEST)]
"""Where a page begins that goes backwards: before this number."""
