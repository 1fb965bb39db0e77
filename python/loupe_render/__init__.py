"""Draws a page and magnified loupes over it, with or without a GPU.

    import loupe_render as loupe

    loupe.render("page.png", at=(320, 240), zoom=6).save("out.png")
    loupe.callout(array, [((420, 380), None)], place="beside")
    loupe.matplotlib.callout(ax, (x, y), zoom=8)
    loupe.diff("expected.png", array, tolerance=2).same
    loupe.crops(truth, {"Ours": ours, "Theirs": theirs}, metric="psnr").save("figure.pdf")

One process of `loupe-render` draws all pictures of an interpreter; it starts with the first one.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from loupe_render._compare import Case, Difference, Verification, diff, verify
from loupe_render._crops import Crops, crops
from loupe_render._draw import callout, render
from loupe_render._errors import (
    CrashError,
    DeviceError,
    InputError,
    LoupeError,
    LoupeWarning,
    MissingError,
    OutputError,
    UsageError,
)
from loupe_render._options import CalloutOptions, DiffOptions, RenderOptions, VerifyOptions
from loupe_render._picture import Picture

if TYPE_CHECKING:
    from loupe_render import matplotlib

__all__ = [
    "CalloutOptions",
    "Case",
    "CrashError",
    "Crops",
    "DeviceError",
    "DiffOptions",
    "Difference",
    "InputError",
    "LoupeError",
    "LoupeWarning",
    "MissingError",
    "OutputError",
    "Picture",
    "RenderOptions",
    "UsageError",
    "Verification",
    "VerifyOptions",
    "callout",
    "crops",
    "diff",
    "matplotlib",
    "render",
    "verify",
]


def __getattr__(name: str) -> Any:
    # matplotlib and Sphinx are imported only where they are used.
    if name in ("matplotlib", "sphinx"):
        return importlib.import_module(f"loupe_render.{name}")
    if name == "__version__":
        return importlib.import_module("importlib.metadata").version("loupe-render")
    raise AttributeError(f"module 'loupe_render' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, "__doc__", "__name__", "__version__", "sphinx"])
