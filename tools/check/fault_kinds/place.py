"""A folder to work in, and the command that is run there."""
import os
import pathlib
import shutil
import struct
import subprocess
import tempfile
import zlib


class Mismatch(Exception):
    """What was not as docs/faults.md says."""


def unpacked(content):
    """A whole PNG as its chunks, image data inflated; anything else as it is.

    At other levels than today's, ISA-L packs the same rows into other bytes in one of some hundred processes, depending on where
    its memory lies. All else has to be the same byte for byte.
    """
    if not content.startswith(b"\x89PNG"):
        return content
    chunks, place = [], 8
    try:
        while place < len(content):
            length, kind = struct.unpack(">I4s", content[place:place + 8])
            data = content[place + 8:place + 8 + length]
            start = {b"IDAT": 0, b"fdAT": 4}.get(kind)
            checksum, = struct.unpack(">I", content[place + 8 + length:place + 12 + length])
            if checksum != zlib.crc32(kind + data):
                return content
            chunks.append((kind, data if start is None else data[:start] + zlib.decompress(data[start:])))
            place += 12 + length
    except (struct.error, zlib.error):
        return content
    return chunks if chunks and chunks[-1][0] == b"IEND" else content


# What the language's runtime, the compiler in the driver and the driver may say before the command's sentence.
BEFORE = (
    "Fatal error: failed to allocate", "LLVM ERROR: ", "terminate called", "  what():  std::bad_alloc", "MESA: error",
    # Mesa says in which of its files; libglvnd.
    "../src/", "Could not allocate dispatch index array",
    # Where no device starts for lack of memory, the reference renderer draws.
    "loupe-render: note: no OpenGL ES 3.0 device works")


def sentences(errors):
    """The lines that the command itself wrote.

    The runtime's report of an allocation that failed may have a stack, of which each line begins with a number.
    """
    return [
        line for line in errors.splitlines()
        if line and not line.startswith(("  ", "Current stack trace:") + BEFORE) and not line[:1].isdigit()]


def judged(code, errors, codes, counts=(1,)):
    """The exit code of a run that failed: one of some codes, with so many sentences of the command, one in most cases."""
    lines = sentences(errors)
    if code not in codes or len(lines) not in counts or not all(
            line.startswith("loupe-render: error: ") for line in lines):
        raise Mismatch(f"code {code}, it says: {errors[:600]}")
    return code


def where_it_waits(process):
    """A line for each thread: its name, state, ticks on the processor and the call that it is in."""
    lines = []
    for thread in sorted(pathlib.Path(f"/proc/{process}/task").iterdir()):
        try:
            name, rest = (thread / "stat").read_text().split("(", 1)[1].rsplit(")", 1)
            call = (thread / "syscall").read_text().strip()
        except OSError:  # The thread has ended, or may not be looked at.
            continue
        fields = rest.split()
        lines.append(f"    {name}: {fields[0]}, {fields[11]} + {fields[12]} ticks, system call {call}")
    return "\n".join(lines)


class Command:
    """The command under test."""

    def __init__(self, path, root):
        self.path = path
        self.root = root

    def copied_to(self, folder):
        """The same in a folder that everyone may enter, as the project's need not be."""
        path = folder / "loupe-render"
        if not path.exists():
            shutil.copy(self.path, path)
            path.chmod(0o755)
        return Command(str(path), self.root)

    def start(self, arguments, folder, environment=None, **options):
        # Without the runtime's own report of a crash, which takes seconds and hides the command's sentence.
        variables = dict(os.environ, SWIFT_BACKTRACE="enable=no", **(environment or {}))
        options.setdefault("stdout", subprocess.PIPE)
        return subprocess.Popen(
            [self.path, *arguments], cwd=folder, env=variables, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
            **options)

    def run(self, arguments, folder, environment=None, seconds=120, **options):
        """The exit code (a signal's number below 0), standard output and standard error."""
        process = self.start(arguments, folder, environment, **options)
        # In short waits: a machine that stands still for a minute then costs one of them, and is not taken for a hang.
        for _ in range(seconds // 5):
            try:
                output, errors = process.communicate(timeout=5)
                return process.returncode, output, errors.decode(errors="replace")
            except subprocess.TimeoutExpired:
                pass
        waits = where_it_waits(process.pid)
        process.kill()
        process.communicate()
        raise Mismatch(f"{' '.join(arguments)}: it did not end within {seconds} s:\n{waits}")


class Place:
    """A working folder with a page, a session, jobs and a scene with its reference; removed at the end."""

    def __init__(self, command):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="loupe-faults-"))
        self.folder.chmod(0o755)
        shutil.copy(command.root / "reference-images/pages/notebook.png", self.folder / "page.png")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    def put(self, name, text):
        (self.folder / name).parent.mkdir(exist_ok=True)
        (self.folder / name).write_text(text)

    def contents(self, below="."):
        """What every file below a folder holds, by its path."""
        paths = (self.folder / below).rglob("*")
        return {str(path.relative_to(self.folder)): path.read_bytes() for path in paths if path.is_file()}


SESSION = """{"model": "keyframes", "fps": 20, "duration": 0.6,
 "scene": {"canvas": {"width": 240, "height": 180}, "layers": [{"image": "page.png", "rect": [20, 15, 200, 150]}],
           "loupes": [{"center": [90, 80], "radius": 34, "zoom": 2}]},
 "keyframes": [{"t": 0.6, "loupe": 0, "center": [150, 100], "zoom": 3}]}
"""
