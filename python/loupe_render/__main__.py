"""`python -m loupe_render`: the command itself."""

import os
import sys

from loupe_render._command import command
from loupe_render._errors import LoupeError

if __name__ == "__main__":
    try:
        path = command()
    except LoupeError as error:
        sys.exit(f"loupe: error: {error}")
    os.execv(path, ["loupe-render", *sys.argv[1:]])
