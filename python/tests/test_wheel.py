"""The wheel, installed in each of the ways of pip. LOUPE_WHEEL names it; without it these tests are left out."""

from __future__ import annotations

import base64
import csv
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

import pytest

WHEEL = pathlib.Path(os.environ.get("LOUPE_WHEEL", ""))

pytestmark = pytest.mark.skipif("LOUPE_WHEEL" not in os.environ, reason="LOUPE_WHEEL names no wheel")

# Nothing of this environment: neither the command that other tests use, nor where this package lies.
CLEAN = {key: value for key, value in os.environ.items() if not key.startswith(("LOUPE_", "PYTHON"))}
PROGRAM = """
import loupe_render as loupe, pathlib, sys
import loupe_render._command
picture = loupe.render(sys.argv[1], at=(320, 240), zoom=6)
pathlib.Path(sys.argv[2]).write_bytes(picture.png)
assert loupe.diff(picture, picture).same
print(loupe._command.command())
"""


def run(*words: str | os.PathLike[str], **options: object) -> str:
    environment = {**CLEAN, **dict(options.pop("env", {}))}  # type: ignore[call-overload]
    done = subprocess.run(words, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A virtual environment with the wheel and nothing else."""
    folder = tmp_path_factory.mktemp("venv")
    run(sys.executable, "-m", "venv", folder)
    run(folder / "bin/python", "-m", "pip", "install", "--no-index", WHEEL)
    return folder


def check(python: pathlib.Path | str, command: pathlib.Path, folder: pathlib.Path, **variables: str) -> None:
    """That this Python draws with this command, which finds its own libraries."""
    page = pathlib.Path(__file__).parent.parent.parent / "examples/pages/scatter.png"
    said = run(python, "-c", PROGRAM, page, folder / "own.png", env=variables)
    assert os.path.realpath(said.strip()) == os.path.realpath(command)
    native = run(command, page, "-o", folder / "native.png", "--at", "320,240", "--zoom", "6")
    assert native == ""
    from loupe_render import _png

    own, other = ((folder / name).read_bytes() for name in ("own.png", "native.png"))
    assert _png.without_texts(own) == _png.without_texts(other)
    needed = run("ldd", command)
    for name in ("libisal", "libdeflate", "liblcms2", "libturbojpeg", "libwebp", "libwebpmux", "libnettle"):
        found = re.search(rf"{name}\.so\S* => (\S+)", needed)
        assert found and os.path.realpath(found[1]).startswith(os.path.realpath(command.parent.parent / "libexec")), needed


def test_a_virtual_environment(environment: pathlib.Path, tmp_path: pathlib.Path) -> None:
    check(environment / "bin/python", environment / "bin/loupe-render", tmp_path)
    run(environment / "bin/python", "-m", "pip", "check")
    assert (environment / "share/man/man1/loupe-render.1").exists()


def test_a_user(environment: pathlib.Path, tmp_path: pathlib.Path) -> None:
    """`pip install --user` of the Python that made the environment, into a home of its own."""
    base = pathlib.Path(sys.base_prefix, "bin", f"python{sys.version_info.major}.{sys.version_info.minor}")
    home = {"PYTHONUSERBASE": str(tmp_path / "user"), "PIP_BREAK_SYSTEM_PACKAGES": "1"}
    if subprocess.run([base, "-m", "pip", "--version"], capture_output=True, check=False).returncode:
        pytest.skip("this Python has no pip of its own")
    run(base, "-m", "pip", "install", "--user", "--no-index", "--no-warn-script-location", WHEEL, env=home)
    check(base, tmp_path / "user/bin/loupe-render", tmp_path, **home)


def test_a_target(environment: pathlib.Path, tmp_path: pathlib.Path) -> None:
    target = tmp_path / "target"
    run(environment / "bin/python", "-m", "pip", "install", "--no-index", "--target", target, WHEEL)
    check(sys._base_executable, target / "bin/loupe-render", tmp_path, PYTHONPATH=str(target))  # type: ignore[attr-defined]


def test_the_record_and_the_versions_agree(environment: pathlib.Path) -> None:
    with zipfile.ZipFile(WHEEL) as wheel:
        assert wheel.testzip() is None
        names = wheel.namelist()
        record = next(name for name in names if name.endswith(".dist-info/RECORD"))
        rows = list(csv.reader(wheel.read(record).decode().splitlines()))
        assert sorted(row[0] for row in rows) == sorted(names) and len(set(names)) == len(names)
        for name, digest, size in rows:
            if name != record:
                data = wheel.read(name)
                assert digest == "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                assert size == str(len(data))
        assert {entry.external_attr >> 16 for entry in wheel.infolist()} == {0o100644, 0o100755}
        assert len({entry.date_time for entry in wheel.infolist()}) == 1
    version = run(environment / "bin/loupe-render", "--version").strip().split("+")[0]
    assert WHEEL.name.startswith(f"loupe_render-{version}-py3-none-manylinux_2_")
    said = run(environment / "bin/python", "-c", "import loupe_render as loupe; print(loupe.__version__)")
    assert said.strip() == version
    assert run(environment / "bin/python", "-m", "loupe_render", "--version") == run(environment / "bin/loupe-render", "--version")


def test_it_has_the_licences_of_all_that_it_ships_and_a_page_that_stands_alone() -> None:
    with zipfile.ZipFile(WHEEL) as wheel:
        names = wheel.namelist()
        metadata = wheel.read(next(name for name in names if name.endswith(".dist-info/METADATA"))).decode()
    found = {name.rpartition("/")[2] for name in names if ".dist-info/licenses/" in name}
    for name in names:
        if "/libexec/" in name and not name.endswith("/loupe-documents"):  # the project's own, under LICENSE
            library = pathlib.PurePath(name).name.partition(".")[0]
            assert any(one.startswith(library) for one in found), name
    assert {"LICENSE", "Swift-and-swift-argument-parser", "libpng-dev", "zlib1g-dev"} < found
    assert set(re.findall(r"^License-File: (.*)$", metadata, re.MULTILINE)) == found
    assert not re.search(r"\]\((?!https?:)", metadata) and "images/" not in metadata


def test_uninstalling_leaves_nothing(tmp_path: pathlib.Path) -> None:
    run(sys.executable, "-m", "venv", tmp_path)
    pip = (tmp_path / "bin/python", "-m", "pip")
    before = {path for path in tmp_path.rglob("*") if "__pycache__" not in path.parts}
    run(*pip, "install", "--no-index", WHEEL)
    run(tmp_path / "bin/python", "-c", "import loupe_render")
    run(*pip, "uninstall", "--yes", "loupe-render")
    after = {path for path in tmp_path.rglob("*") if "__pycache__" not in path.parts and path.is_file()}
    assert after <= before


def test_it_is_small_and_names_nothing_of_the_machine_that_built_it(top: pathlib.Path) -> None:
    assert WHEEL.stat().st_size < 25e6
    with zipfile.ZipFile(WHEEL) as wheel:
        for name in wheel.namelist():
            data = wheel.read(name)
            assert str(top).encode() not in data and b"/opt/swift" not in data, name


def test_its_tag_is_what_auditwheel_says(tmp_path: pathlib.Path) -> None:
    """The helper program is left out: it links librsvg, Pango and poppler of the machine, and auditwheel judges a file by
    all that it leads to. The symbols that it needs itself are counted where the tag is made."""
    if shutil.which("auditwheel") is None:
        pytest.skip("auditwheel is not installed")
    bare = tmp_path / WHEEL.name
    with zipfile.ZipFile(WHEEL) as wheel, zipfile.ZipFile(bare, "w") as copy:
        for entry in wheel.infolist():
            if not entry.filename.endswith("/loupe-documents"):
                copy.writestr(entry, wheel.read(entry))
    said = " ".join(run("auditwheel", "show", bare).split())
    tag = WHEEL.stem.rsplit("-", 1)[1]
    assert f'is consistent with the following platform tag: "{tag}"' in said, said


def test_pytest_finds_the_plugin(environment: pathlib.Path) -> None:
    said = run(environment / "bin/python", "-c", "from importlib.metadata import entry_points as e; print(*e(group='pytest11'))")
    assert "loupe_render.pytest_plugin" in said
