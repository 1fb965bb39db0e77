"""The shell steps of the GitHub action, with a command that only writes what it is asked for."""

from __future__ import annotations

import os
import pathlib
import subprocess

import pytest

COMMAND = """#!/bin/sh
echo "$@"
[ -e differs ] || exit 66
while [ "$#" -gt 1 ]; do [ "$1" != --json ] || echo {} >"$2"; shift; done
exit 1
"""


def compare(top: pathlib.Path, folder: pathlib.Path, **inputs: str) -> tuple[int, str, pathlib.Path | None]:
    """The exit code, what is printed, and the folder of the report."""
    command, output = folder / "loupe-render", folder / "output"
    command.write_text(COMMAND)
    command.chmod(0o755)
    output.write_text("")
    variables = {"RUNNER_TEMP": str(folder), "GITHUB_OUTPUT": str(output), "GITHUB_STEP_SUMMARY": str(folder / "summary")}
    environment = {"PATH": f"{folder}:{os.environ['PATH']}", **variables, **{f"LOUPE_{key.upper()}": one for key, one in inputs.items()}}
    words = [str(top / "tools/packaging/action"), "compare"]
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=folder, env=environment)
    named = output.read_text().strip().removeprefix("report=")
    return done.returncode, done.stdout, pathlib.Path(named) if named else None


def test_each_use_has_an_empty_folder(top: pathlib.Path, tmp_path: pathlib.Path) -> None:
    (tmp_path / "differs").touch()
    first = compare(top, tmp_path, reference="a", actual="b")
    (tmp_path / "differs").unlink()
    second = compare(top, tmp_path)
    assert (first[0], second[0]) == (1, 66) and first[1].startswith("diff a b ") and second[1].startswith("verify reference-images ")
    assert first[2] and second[2] and first[2] != second[2]
    assert (first[2] / "results.json").exists() and [one.name for one in second[2].iterdir()] == ["log.txt"]


@pytest.mark.parametrize(
    ("inputs", "sentence"),
    [
        ({"actual": "b"}, "actual: it needs reference"),
        ({"reference": "a"}, "reference: it needs actual"),
        ({"reference": "a", "actual": "b", "folders": "c"}, "reference and folders: leave out one"),
    ],
)
def test_inputs_that_do_not_fit_are_refused(
    top: pathlib.Path, tmp_path: pathlib.Path, inputs: dict[str, str], sentence: str
) -> None:
    code, said, report = compare(top, tmp_path, **inputs)
    assert code == 64 and said.startswith(f"::error::{sentence}") and said.count("\n") == 1 and report is None
    assert compare(top, tmp_path, reference="a", arguments="--tolerance 2 --layout playwright")[1].startswith("diff a --tolerance 2")
