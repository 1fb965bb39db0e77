"""What the tests share. The command is that of LOUPE_RENDER, or the one that was installed with the package."""

from __future__ import annotations

import pathlib
import subprocess
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

import loupe_render as loupe
import loupe_render._anywhere
import loupe_render._command

pytest_plugins = ["pytester"]

TOP = pathlib.Path(__file__).resolve().parent.parent.parent


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Leaves out what the package for every processor refuses, where that is tested."""
    try:
        return (yield)
    except loupe.DeviceError as error:
        if loupe._anywhere.is_used() and "package for every processor" in str(error):
            pytest.skip(str(error))
        raise


@pytest.fixture(scope="session")
def top() -> pathlib.Path:
    """The folder of the project."""
    return TOP


@pytest.fixture(scope="session")
def pixels() -> NDArray[np.uint8]:
    """An opaque picture whose pixels differ from their neighbours: 30 × 40 × 3."""
    y, x = np.mgrid[:30, :40]
    return np.stack([x * 6, y * 8, (x * 37 + y * 91) % 256], axis=2).astype(np.uint8)


@pytest.fixture
def page(tmp_path: pathlib.Path, pixels: NDArray[np.uint8]) -> pathlib.Path:
    """The picture in a file."""
    from PIL import Image

    path = tmp_path / "page.png"
    Image.fromarray(pixels).save(path)
    return path


@pytest.fixture(scope="session")
def device() -> None:
    """Leaves out a test that needs a device where none works."""
    if loupe._anywhere.is_used():
        pytest.skip("the package for every processor has no devices")
    if subprocess.run([loupe._command.command(), "devices"], capture_output=True, check=False).returncode:
        pytest.skip("no device works")


@pytest.fixture(scope="session")
def native() -> Callable[..., bytes]:
    """Runs the command itself and returns what it writes to standard output."""
    if loupe._anywhere.is_used():
        pytest.skip("the package for every processor has no command")

    def run(*words: str, cwd: pathlib.Path | None = None, data: bytes | None = None) -> bytes:
        return subprocess.run([loupe._command.command(), *words], input=data, cwd=cwd, check=True, capture_output=True).stdout

    return run
