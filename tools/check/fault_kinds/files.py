"""Outputs that can't be written: each writer against each fault."""
import json
import os
import resource
import shutil
import subprocess

from .place import SESSION, Mismatch, Place

SCENE = '{"canvas": {"width": 60, "height": 40}, "layers": [{"fill": "#336699", "rect": [10, 5, 40, 30]}]}'

# By name: the arguments, OUT being the output's path, and what the path ends in.
WRITERS = {
    "picture": (["page.png", "-o", "OUT"], ".png"),
    "reference picture": (["page.png", "-o", "OUT", "--reference"], ".png"),
    "map": (["page.png", "-o", "/dev/null", "--map", "OUT"], ".json"),
    "statistics": (["page.png", "-o", "/dev/null", "--stats", "OUT"], ".json"),
    "numbered frames": (["replay", "session.json", "-o", "OUT", "--to", "0.01"], "-%d.png"),
    "APNG": (["replay", "session.json", "-o", "OUT", "--format", "apng"], ".apng"),
    "raw": (["replay", "session.json", "-o", "OUT", "--format", "raw"], ".rgba"),
    "sheet": (["replay", "session.json", "-o", "OUT", "--sheet", "2x2"], ".png"),
    "states": (["replay", "session.json", "--dry-run", "--states", "OUT"], ".jsonl"),
    "plot": (["replay", "session.json", "--plot", "OUT"], ".svg"),
    "curves": (["replay", "session.json", "--curve", "OUT", "--quiet"], ".css"),
    "difference picture": (["diff", "page.png", "page.png", "--quiet", "-o", "OUT"], ".png"),
    "difference as JSON": (["diff", "page.png", "page.png", "--quiet", "--json", "OUT"], ".json"),
    "difference as JUnit": (["diff", "page.png", "page.png", "--quiet", "--junit", "OUT"], ".xml"),
    "verification as JSON": (["verify", "scenes", "--quiet", "--json", "OUT"], ".json"),
    "verification as JUnit": (["verify", "scenes", "--quiet", "--junit", "OUT"], ".xml"),
    "hashes": (["verify", "scenes", "--quiet", "--hashes", "OUT"], ".txt"),
    "verification page": (["verify", "scenes", "--quiet", "--report", "OUT"], ".html"),
    "joined results": (["report", "merge", "results.json", "--quiet", "--json", "OUT"], ".json"),
    "devices": (["devices", "--json", "OUT"], ".json"),
    "bench as JSON": (["bench", "--quick", "--only", "pieces/outside*", "--radius", "20", "--zoom", "4", "--canvas", "800x600", "--quiet", "--json", "OUT"], ".json"),
}


def check(command, options):
    count = 0
    with Place(command) as place:
        prepare(command, place)
        for name, writer in writers(command, place):
            for fault in FAULTS:
                count += fault(command, place, name, *writer)
        count += full_batch(command, place)
        count += small_disk(command, place)
        count += closed_streams(command, place)
    return f"{count} outputs that could not be written"


def prepare(command, place):
    place.put("session.json", SESSION)
    place.put("scenes/one.json", SCENE)
    for folder in ("gestures", "pages"):
        shutil.copytree(command.root / "examples" / folder, place.folder / folder)
    command.run(["verify", "scenes", "--update", "missing", "--quiet"], place.folder)
    command.run(["verify", "scenes", "--quiet", "--json", "results.json"], place.folder)


def writers(command, place):
    for name, (arguments, ending) in WRITERS.items():
        yield name, (arguments, ending)


def filled(arguments, path):
    return [path if argument == "OUT" else argument for argument in arguments]


def first(path):
    """The first file of a pattern."""
    return path.replace("%d", "0")


def expect(command, place, name, arguments, path, words, old=None, **options):
    """Code 73 and one sentence with the path and the reason; what was there is as it was, and nothing else is there."""
    before = place.contents()
    code, _, errors = command.run(filled(arguments, path), place.folder, **options)
    sentence = f"{name}, {path}: code {code}, it says: {errors}"
    if code != 73 or errors.count("\n") != 1 or not errors.startswith("loupe-render: error: "):
        raise Mismatch(sentence)
    if words not in errors or first(path) not in errors:
        raise Mismatch(f"{sentence}    and not: {first(path)}, {words}")
    if changes := {path for path, _ in set(place.contents().items()) ^ set(before.items())}:
        raise Mismatch(f"{name}, {path}: it changed {changes}")
    return 1


def size_limit(command, place, name, arguments, ending):
    """A file that may not grow, over an old one and where none is."""
    limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (40, 40))  # noqa: E731
    count = 0
    for old in (True, False):
        path = place.folder / first("limited" + ending)
        path.write_text("old") if old else path.unlink()
        count += expect(
            command, place, name, arguments, "limited" + ending, "File too large", preexec_fn=limit)
    return count


def full_device(command, place, name, arguments, ending):
    # A pattern of names, and curves, whose kind is that of the name, can't be written to a device.
    if "%d" in ending or name == "curves":
        return 0
    return expect(command, place, name, arguments, "/dev/full", "No space left on device")


def folder_in_the_way(command, place, name, arguments, ending):
    path = place.folder / first("folder" + ending)
    path.mkdir()
    try:
        return expect(command, place, name, arguments, "folder" + ending, "it is a directory")
    finally:
        path.rmdir()


def link_to_nowhere(command, place, name, arguments, ending):
    path = place.folder / first("link" + ending)
    path.symlink_to("nowhere")
    try:
        return expect(command, place, name, arguments, "link" + ending, "it is a link to a missing file")
    finally:
        path.unlink()


def missing_folder(command, place, name, arguments, ending):
    return expect(command, place, name, arguments, "missing/out" + ending, "there is no folder 'missing/'")


def read_only_folder(command, place, name, arguments, ending):
    """As another user, where this one may write everywhere; nothing where the other one can't run the command."""
    other = {}
    if os.geteuid() == 0:
        other = {"user": 65534, "group": 65534, "extra_groups": []}
        command = command.copied_to(place.folder)
        try:
            if command.run(["--version"], place.folder, **other)[0] != 0:
                return 0
        except PermissionError:  # A folder above is closed to others.
            return 0
    folder = place.folder / "locked"
    folder.mkdir()
    folder.chmod(0o555)
    try:
        return expect(command, place, name, arguments, "locked/out" + ending, "Permission denied", **other)
    finally:
        folder.chmod(0o755)
        folder.rmdir()


FAULTS = [size_limit, full_device, folder_in_the_way, link_to_nowhere, missing_folder, read_only_folder]


def full_batch(command, place):
    """A job that can't be written fails alone, and the run ends in 1."""
    outputs = ["good.png", "missing/out.png", "/dev/full"]
    place.put("jobs.jsonl", "\n".join(json.dumps({"input": "page.png", "output": path}) for path in outputs))
    code, _, errors = command.run(["batch", "jobs.jsonl", "--quiet", "--allow-outside"], place.folder)
    lines = errors.splitlines()
    if code != 1 or len(lines) != 2 or not (place.folder / "good.png").exists():
        raise Mismatch(f"batch: code {code}, it says: {errors}")
    if not any("line 3: /dev/full: can't be written: No space left on device" in line for line in lines):
        raise Mismatch(f"batch: it says: {errors}")
    return 2


def small_disk(command, place):
    """A real file system of 16 KiB; nothing where mounting is refused."""
    disk = place.folder / "disk"
    disk.mkdir()
    mounting = ["mount", "-t", "tmpfs", "-o", "size=16k", "loupe-faults", str(disk)]
    if os.geteuid() != 0 or subprocess.run(mounting, stderr=subprocess.DEVNULL).returncode != 0:
        return 0
    try:
        (disk / "old.png").write_text("old")
        session = ["replay", "session.json", "-o", "OUT"]
        picture = ["page.png", "-o", "OUT"]
        return sum(
            expect(command, place, "small disk", arguments, path, "No space left on device")
            for arguments, path in [
                (picture, "disk/old.png"), (picture, "disk/new.png"), (session, "disk/a.apng"),
                (session, "disk/a.rgba")])
    finally:
        subprocess.run(["umount", str(disk)], check=True)


# Without an output of their own they write to standard output.
TALKERS = [
    ["page.png", "-o", "-"], ["page.png", "-o", "-", "--reference"], ["page.png", "--print-scene"],
    ["page.png", "-o", "/dev/null", "--stats", "-"], ["page.png", "-o", "/dev/null", "--map", "-"],
    ["diff", "page.png", "page.png"], ["diff", "page.png", "page.png", "--json", "-"], ["devices"],
    ["devices", "--json"], ["verify", "scenes"], ["verify", "scenes", "--report", "-"], ["--help"], ["--version"],
    ["replay", "session.json", "-o", "-", "--format", "raw"],
    ["replay", "session.json", "--dry-run", "--states", "-"],
    ["replay", "gestures/ambiguous.json", "--allow-outside", "--plot", "-"],
    ["inspect", "page.png", "--at", "3,3"],
]


def closed_streams(command, place):
    """A reader that has gone ends the command quietly; a full or closed standard output is told."""
    for arguments in TALKERS:
        reader, writer = os.pipe()
        os.close(reader)
        tell(arguments, command.run(arguments, place.folder, stdout=writer), 0, "")
        os.close(writer)
        with open("/dev/full", "wb") as full:
            tell(arguments, command.run(arguments, place.folder, stdout=full), 73, "No space left on device")
        close = lambda: os.close(1)  # noqa: E731
        tell(arguments, command.run(arguments, place.folder, preexec_fn=close), 73, "Bad file descriptor")
    return 3 * len(TALKERS)


def tell(arguments, outcome, code, words):
    sentences = 1 if words else 0
    if outcome[0] != code or words not in outcome[2] or outcome[2].count("\n") != sentences:
        raise Mismatch(f"{' '.join(arguments)}: code {outcome[0]}, not {code}, it says: {outcome[2]}")
