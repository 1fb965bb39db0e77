"""`python -m loupe_render`: the command itself, or what the package has in its place."""

import os
import sys

from loupe_render import _anywhere
from loupe_render._command import command
from loupe_render._errors import LoupeError

if __name__ == "__main__":
    if _anywhere.is_used():
        from loupe_render import _main

        sys.exit(_main.main(sys.argv[1:]))
    try:
        path = command()
    except LoupeError as error:
        sys.exit(f"loupe: error: {error}")
    os.execv(path, ["loupe-render", *sys.argv[1:]])
