"""Forms of an event to print: values of ``reports`` as pages, in a language.

``page`` is what they are made of. A file stands alone (``PrintedPage.html``); a site puts title and
``body`` into a page of its own. The words that a screen shares with paper stand here too.
"""
