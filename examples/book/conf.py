"""A book whose figures are live in HTML: sphinx-build examples/book demo/book."""

project = "A book with loupes"
author = copyright = "Loupe"
version = "1"
extensions = ["loupe_render.sphinx", "myst_parser"]
# A scene of this book names a page in another folder.
loupe_options = {"allow_outside": True}
numfig = True
html_theme = "furo"
# These lie outside of all landmarks.
html_theme_options = {"top_of_page_buttons": []}
