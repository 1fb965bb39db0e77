"""Pictures in tests of pytest: `loupe_snapshot(picture)` compares one with its reference.

References lie beside the test, in `__loupe__/<test file>/<test>.png`. What differs is kept in `loupe-failures`, with one
page to look at, `report.html`, written at the end by the command's own `report merge`.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import pathlib
import re
import tempfile
import time
from collections.abc import Generator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from loupe_render import DiffOptions
    from loupe_render._compare import Difference
    from loupe_render._pages import Page

_RECORDS = pytest.StashKey[list[dict[str, Any]]]()
_REPORT = pytest.StashKey[pathlib.Path]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the options."""
    group = parser.getgroup("loupe", "pictures (loupe)")
    group.addoption(
        "--loupe-update",
        action="store_true",
        help="Write the references of pictures that differ or have none. Tests whose reference was written still fail.",
    )
    group.addoption(
        "--loupe-output",
        metavar="DIR",
        default="loupe-failures",
        help="Where pictures that differ are kept, with report.html. Default: loupe-failures in the root folder.",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Starts without any result."""
    config.stash[_RECORDS] = []


class Snapshot:
    """Compares pictures of one test with their references."""

    def __init__(self, item: pytest.Item) -> None:
        self._item = item
        self._names: list[str] = []
        self.records: list[dict[str, Any]] = []

    def __call__(self, picture: Page, tolerance: int | str = 2, *, name: str | None = None, **options: Any) -> None:
        """Fails unless the picture is its reference within the tolerance.

        `picture` is an array, a Pillow image, a figure of matplotlib, a `loupe.Picture`, the bytes of a PNG, or a path.
        `tolerance` is the largest difference of a channel of 0 to 255 that passes. `name` tells several pictures of one
        test apart. The other keywords are those of `loupe.diff`.
        """
        __tracebackhide__ = True
        import loupe_render as loupe
        from loupe_render._pages import png_of

        start = time.perf_counter()
        reference, kept, title = self._paths(name)
        is_file = isinstance(picture, (str, os.PathLike))
        actual = pathlib.Path(os.fspath(picture)).read_bytes() if is_file else png_of(picture)  # type: ignore[arg-type]
        for old in kept.values():
            old.unlink(missing_ok=True)
        difference: Difference | None = None
        if reference.exists():
            given: DiffOptions = {"tolerance": tolerance, **options}  # type: ignore[typeddict-item]
            difference = loupe.diff(reference, actual, **given)
        state = "missing" if difference is None else "passed" if difference.same else "failed"
        record = {
            "suite": title[0], "name": title[1], "scene": self._shown(reference), "state": state,
            "message": _message(difference, self._shown(reference)), "milliseconds": 0.0,
        }  # fmt: skip
        if difference is not None:
            record["difference"] = difference.json
        if state != "passed":
            if self._item.config.getoption("--loupe-update"):
                record["state"] = "written"
                reference.parent.mkdir(parents=True, exist_ok=True)
                _write(reference, actual)
            else:
                kept["actual"].parent.mkdir(parents=True, exist_ok=True)
                _write(kept["actual"], actual)
                pictures = {"actual": self._shown(kept["actual"])}
                if difference is not None:
                    _write(kept["reference"], reference.read_bytes())
                    _write(kept["difference"], difference.png)
                    pictures |= {part: self._shown(kept[part]) for part in ("reference", "difference")}
                record["files"] = pictures
        record["milliseconds"] = round((time.perf_counter() - start) * 1000, 3)
        self.records.append(record)
        if state != "passed":
            pytest.fail(_advice(record, difference, kept, self._shown), pytrace=False)

    def _paths(self, name: str | None) -> tuple[pathlib.Path, dict[str, pathlib.Path], tuple[str, str]]:
        """The reference, the files that are kept of a failure, and what the picture is called: its file and its test."""
        test = ".".join(self._item.nodeid.split("::")[1:])
        # The parameters' texts may hold anything, and be long.
        plain = re.sub(r"[^\w.\[\]=,+-]+", "_", test)[:120]
        if plain != test:
            plain += "-" + hashlib.sha256(test.encode()).hexdigest()[:8]
        if name is not None:
            if not re.fullmatch(r"[\w.+-]{1,80}", name):
                pytest.fail(f"loupe_snapshot: name: {name!r} is no part of a file's name", pytrace=False)
            plain += f"-{name}"
        if plain in self._names:
            pytest.fail("loupe_snapshot: this test has shown a picture already; give each its name=…", pytrace=False)
        self._names.append(plain)
        file = self._item.path
        reference = file.parent / "__loupe__" / file.stem / f"{plain}.png"
        suite = os.path.relpath(file, self._item.config.rootpath)
        folder = output_folder(self._item.config) / re.sub(r"[^\w.-]+", "_", suite.removesuffix(".py"))
        kept = {part: folder / f"{plain}-{part}.png" for part in ("reference", "actual", "difference")}
        return reference, kept, (suite, plain)

    def _shown(self, path: pathlib.Path) -> str:
        return os.path.relpath(path, self._item.config.rootpath)


def output_folder(config: pytest.Config) -> pathlib.Path:
    """Where pictures that differ are kept."""
    return config.rootpath / str(config.getoption("--loupe-output"))


def _write(path: pathlib.Path, data: bytes) -> None:
    """Writes a file that appears whole, as other processes may do the same."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.write_bytes(data)
    temporary.replace(path)


def _message(difference: Difference | None, reference: str) -> str:
    if difference is None:
        return f"there is no reference {reference}"
    return "; ".join(re.sub(r"\s+", " ", line.strip()) for line in difference.summary.splitlines())


def _advice(record: dict[str, Any], difference: Difference | None, kept: dict[str, pathlib.Path], shown: Any) -> str:
    if record["state"] == "written":
        return f"wrote the reference {record['scene']}: look at it, and run again without --loupe-update"
    if difference is None:
        lines = [f"there is no reference {record['scene']}"]
    else:
        lines = [f"the picture is not its reference {record['scene']}", difference.summary]
    lines += [f"  {part + ':':<12}{path}" for part, path in record["files"].items()]
    return "\n".join([*lines, "If the picture is right, run pytest --loupe-update and keep the reference."])


@pytest.fixture
def loupe_snapshot(request: pytest.FixtureRequest) -> Snapshot:
    """Compares a picture with the test's reference: `loupe_snapshot(figure, tolerance=2)`."""
    snapshot = Snapshot(request.node)
    request.node.loupe_records = snapshot.records
    return snapshot


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Puts the results into the test's report, which pytest-xdist brings from its workers."""
    report = yield
    if call.when == "call":
        vars(report)["loupe_records"] = getattr(item, "loupe_records", [])
    return report


class _Collector:
    """Collects the results in the process that has them all."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call":
            records: list[dict[str, Any]] = getattr(report, "loupe_records", [])
            self._config.stash[_RECORDS] += records

    def pytest_sessionfinish(self) -> None:
        records = self._config.stash[_RECORDS]
        path = output_folder(self._config) / "report.html"
        path.unlink(missing_ok=True)
        if any("files" in record for record in records):
            write_report(records, path, self._config.rootpath)
            self._config.stash[_REPORT] = path

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        path = self._config.stash.get(_REPORT, None)
        if path is not None:
            count = sum("files" in record for record in self._config.stash[_RECORDS])
            shown = os.path.relpath(path, self._config.invocation_params.dir)
            terminalreporter.write_sep("=", "pictures")
            terminalreporter.write_line(f"{count} of {len(self._config.stash[_RECORDS])} differ; see {shown}")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Collects the results here, unless this is a worker of pytest-xdist."""
    if not hasattr(session.config, "workerinput"):
        session.config.pluginmanager.register(_Collector(session.config), "loupe-collector")


def write_report(records: list[dict[str, Any]], path: pathlib.Path, root: pathlib.Path) -> None:
    """Writes the page: the results as `verify --json --json-pictures` writes them, joined by `report merge`."""
    from loupe_render._command import run

    latest = {record["scene"]: record for record in records}
    cases = []
    for record in latest.values():
        files = record.get("files", {})
        case = {key: value for key, value in record.items() if key != "files"}
        if files:
            case["pictures"] = {
                part: base64.b64encode((root / file).read_bytes()).decode() for part, file in files.items()
            }
        cases.append(case)
    results = {
        "format": "loupe-verify/1", "shards": ["1/1"], "obsolete": [],
        "milliseconds": sum(record["milliseconds"] for record in latest.values()), "cases": cases,
    }  # fmt: skip
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="loupe-") as folder:
        numbers = pathlib.Path(folder, "results.json")
        numbers.write_text(json.dumps(results), "utf-8")
        run(["report", "merge", str(numbers), "--quiet", "--report", str(path)], also=frozenset({1}))
