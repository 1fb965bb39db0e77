"""A process of the command that draws many pictures: `loupe-render batch -`.

There is one for each set of the options that all pictures of a process share; nearly always that is one. Any number of
threads may ask it at once: it works on several pictures at a time and answers in order.
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import json
import os
import subprocess
import threading
import warnings
from collections.abc import Mapping
from typing import Any

from loupe._command import command, ended
from loupe._errors import CrashError, LoupeError, LoupeWarning, error_of

_SET_PIPE_SIZE = 1031
_PIPE_SIZE = 1 << 20


class Answer:
    """What the process says about a picture that it has drawn."""

    def __init__(self, members: Mapping[str, Any], png: bytes) -> None:
        self.stats: dict[str, Any] = members.get("stats", {})
        self.png = png


class Server:
    """A running process. It ends with this interpreter, when it is interrupted, and when it crashes."""

    def __init__(self, flags: tuple[str, ...]) -> None:
        self._errors = os.memfd_create("loupe-render")
        self._errors_read = 0
        # Its own session: Ctrl-C reaches this interpreter, which ends the process. Its own folder: paths are absolute.
        self._process = subprocess.Popen(
            [command(), "batch", "-", "--allow-outside", *flags],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            cwd="/",
            # The trace of a crash takes seconds, in which everybody would wait.
            env={"SWIFT_BACKTRACE": "enable=no", **os.environ},
            start_new_session=True,
            bufsize=0,
        )
        assert self._process.stdin and self._process.stdout
        # Without buffers of their own, which would be written again by the forks of this interpreter.
        self._input, self._output = self._process.stdin, self._process.stdout
        self._read_ahead = b""
        for pipe in (self._input, self._output):
            with contextlib.suppress(OSError):
                fcntl.fcntl(pipe, _SET_PIPE_SIZE, _PIPE_SIZE)
        self._writing = threading.Lock()
        self._asked = 0
        # Guards all below.
        self._reading = threading.Condition()
        self._is_read = False
        self._answers: dict[int, tuple[dict[str, Any], bytes]] = {}
        self._end: LoupeError | None = None

    @property
    def has_ended(self) -> bool:
        """Whether it can't be asked any more."""
        return self._end is not None

    def ask(self, job: Mapping[str, Any], page: bytes | memoryview | None) -> Answer:
        """Sends a job, with the bytes of its page where they are not in a file, and waits for its answer."""
        line = json.dumps(job, ensure_ascii=False, allow_nan=False).encode("utf-8", "surrogateescape") + b"\n"
        try:
            with self._writing:
                self._asked += 1
                number = self._asked
                try:
                    self._write(line)
                    if page is not None:
                        self._write(page)
                except (OSError, ValueError):
                    raise self._crash() from None
            members, png = self._answer(number)
        except LoupeError:
            raise
        except BaseException:
            # An interrupt may have left half a job or half an answer in the pipes.
            self._stop(CrashError("it was ended by an interrupt", 130))
            raise
        self._warn(members)
        if members["state"] == "failed":
            raise error_of(members["code"], "\n".join([members["error"], *members.get("details", [])]))
        return Answer(members, png)

    def _answer(self, number: int) -> tuple[dict[str, Any], bytes]:
        """Waits for an answer. One of the waiting threads reads, also the answers of the others."""
        with self._reading:
            while number not in self._answers:
                if self._end:
                    raise type(self._end)(str(self._end), self._end.code)
                if self._is_read:
                    self._reading.wait()
                    continue
                self._is_read = True
                self._reading.release()
                try:
                    answer = self._read()
                finally:
                    self._reading.acquire()
                    self._is_read = False
                    self._reading.notify_all()
                self._answers[answer[0]["job"]] = answer
            return self._answers.pop(number)

    def _write(self, data: bytes | memoryview) -> None:
        view = memoryview(data).cast("B")
        while view:
            view = view[os.write(self._input.fileno(), view) :]

    def _read(self) -> tuple[dict[str, Any], bytes]:
        try:
            pieces = [self._read_ahead]
            while b"\n" not in pieces[-1]:
                pieces.append(self._some())
            line, _, rest = b"".join(pieces).partition(b"\n")
            members: dict[str, Any] = json.loads(line)
            length, _ = members.get("bytes", 0), members["job"]
            pieces, held = [rest], len(rest)
            while held < length:
                pieces.append(self._some())
                held += len(pieces[-1])
        except (EOFError, KeyError, OSError, TypeError, ValueError):
            raise self._crash() from None
        data = b"".join(pieces)
        self._read_ahead = data[length:]
        return members, data[:length]

    def _some(self) -> bytes:
        """Some bytes of the answers, for which it waits."""
        piece = os.read(self._output.fileno(), _PIPE_SIZE)
        if not piece:
            raise EOFError
        return piece

    def _warn(self, members: Mapping[str, Any]) -> None:
        """Passes on warnings: of the picture, and what the process has said since the last one."""
        for sentence in members.get("warnings", []):
            warnings.warn(sentence, LoupeWarning, stacklevel=5)
        size = os.fstat(self._errors).st_size
        if size > self._errors_read:
            with self._writing:
                said = os.pread(self._errors, size - self._errors_read, self._errors_read)
                self._errors_read = max(size, self._errors_read)
            for words in said.decode("utf-8", "replace").splitlines():
                warnings.warn(words.removeprefix("loupe-render: ").removeprefix("warning: "), LoupeWarning, stacklevel=5)

    def _crash(self) -> LoupeError:
        """The error of a process that has closed its pipes, or answers nonsense."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(2)
        code = self._process.poll()
        said = os.pread(self._errors, 1 << 16, max(0, os.fstat(self._errors).st_size - (1 << 16)))
        error = ended(code, said) if code is not None else CrashError("loupe-render has closed its pipes", 70)
        self._stop(error)
        return error

    def _stop(self, reason: LoupeError) -> None:
        """Ends the process at once. Everybody who waits for it gets the reason."""
        self._end = self._end or reason
        self._process.kill()
        self._process.wait()
        if self._reading.acquire(timeout=1):
            self._reading.notify_all()
            self._reading.release()

    def close(self) -> None:
        """Ends the process after what it is drawing."""
        self._end = self._end or CrashError("loupe-render has ended with the interpreter", 0)
        with contextlib.suppress(OSError, ValueError):
            self._input.close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._output.close()
        os.close(self._errors)

    def forget(self) -> None:
        """Lets go of a process that belongs to the interpreter of which this one is a fork."""
        self._input.close()
        self._output.close()
        os.close(self._errors)
        # It is not this process's to wait for.
        self._process.returncode = 0


_servers: dict[tuple[str, ...], Server] = {}
_lock = threading.Lock()


def server(flags: tuple[str, ...] = ()) -> Server:
    """The running process with these flags, started where there is none."""
    with _lock:
        found = _servers.get(flags)
        if found is None or found.has_ended:
            found = _servers[flags] = Server(flags)
        return found


def close() -> None:
    """Ends all processes; the next picture starts a new one."""
    with _lock:
        for one in _servers.values():
            one.close()
        _servers.clear()


def _after_fork() -> None:
    global _lock
    _lock = threading.Lock()
    for one in _servers.values():
        one.forget()
    _servers.clear()


atexit.register(close)
os.register_at_fork(after_in_child=_after_fork)
