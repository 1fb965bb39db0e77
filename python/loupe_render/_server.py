"""A process of the command that draws many pictures: `loupe-render batch -`.

There is one for each set of the options that all pictures of a process share; nearly always that is one. Any number of
threads may ask it at once: it works on several pictures at a time and answers in order.
"""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from loupe_render import _anywhere, _flags
from loupe_render._answer import Answer, Pixels
from loupe_render._command import command, ended
from loupe_render._errors import CrashError, LoupeError, warn

_SET_PIPE_SIZE = 1031
_PIPE_SIZE = 1 << 20


class Server:
    """A running process. It ends with this interpreter, when it is interrupted, and when it crashes."""

    def __init__(self, flags: tuple[str, ...]) -> None:
        self._flags = flags
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
            with contextlib.suppress(ImportError, OSError):
                import fcntl

                fcntl.fcntl(pipe, _SET_PIPE_SIZE, _PIPE_SIZE)
        self._writing = threading.Lock()
        self._asked = 0
        # Guards all below.
        self._reading = threading.Condition()
        self._is_read = False
        self._open: dict[int, Answer] = {}
        # Those of whom the pixels were asked for, and what came.
        self._pixels: dict[int, Pixels | None] = {}
        self._end: LoupeError | None = None

    @property
    def has_ended(self) -> bool:
        """Whether it can't be asked any more."""
        return self._end is not None

    def ask(self, job: Mapping[str, Any], page: bytes | memoryview | None, *, warns: bool = True) -> Answer:
        """Sends a job, with the bytes of its page where they are not in a file, and waits until it is rendered.

        An announced job's PNG is made while the next one is drawn.
        """
        line = _flags.encoded(job) + b"\n"
        with self._ending_at_interrupts(), self._writing:
            self._asked += 1
            answer = Answer(self, self._asked, lambda: server(self._flags).ask(job, page, warns=False))
            with self._reading:
                self._open[self._asked] = answer
            try:
                self._write(line)
                if page is not None:
                    self._write(page)
            except (OSError, ValueError):
                raise self._crash() from None
        self.wait(lambda: answer.is_rendered)
        if warns:
            self._warn(answer.warnings)
        if answer.members is not None:
            answer.done()
        return answer

    def pixels(self, number: int) -> Pixels | None:
        """The pixels of a job's picture; None where the process has rendered another one since, or has ended."""
        if self.has_ended or number != self._asked:
            return None
        with self._ending_at_interrupts(), self._writing:
            try:
                self._write(b'{"pixels": %d}\n' % number)
            except (OSError, ValueError):
                raise self._crash() from None
        self.wait(lambda: number in self._pixels)
        return self._pixels.pop(number, None)

    @contextlib.contextmanager
    def _ending_at_interrupts(self) -> Iterator[None]:
        try:
            yield
        except LoupeError:
            raise
        except BaseException:
            # An interrupt may have left half a job or half an answer in the pipes.
            self._stop(CrashError("it was ended by an interrupt", 130))
            raise

    def wait(self, has_come: Callable[[], bool]) -> None:
        """Waits for a part of an answer. One of the waiting threads reads, also the answers of the others."""
        with self._ending_at_interrupts(), self._reading:
            while not has_come():
                if self._end:
                    raise type(self._end)(str(self._end), self._end.code)
                if self._is_read:
                    self._reading.wait()
                    continue
                self._is_read = True
                self._reading.release()
                try:
                    members, png = self._read()
                finally:
                    self._reading.acquire()
                    self._is_read = False
                    self._reading.notify_all()
                number = members["job"]
                if members["state"] in ("pixels", "gone"):
                    self._pixels[number] = Pixels(members["width"], members["height"], png) if png else None
                elif number in self._open:
                    self._open[number].take(members, bytes(png))
                    if members["state"] != "rendered":
                        del self._open[number]

    def _write(self, data: bytes | memoryview) -> None:
        view = memoryview(data).cast("B")
        while view:
            view = view[os.write(self._input.fileno(), view) :]

    def _read(self) -> tuple[dict[str, Any], bytearray]:
        try:
            pieces = [self._read_ahead]
            while b"\n" not in pieces[-1]:
                pieces.append(self._some())
            line, _, rest = b"".join(pieces).partition(b"\n")
            members: dict[str, Any] = json.loads(line)
            length, _ = members.get("bytes", 0), (members["job"], members["state"])
            self._read_ahead = rest[length:]
            data = bytearray(length)
            view, held = memoryview(data), min(length, len(rest))
            view[:held] = rest[:held]
            while held < length:
                count = os.readv(self._output.fileno(), [view[held:]])
                if count == 0:
                    raise EOFError
                held += count
        except (EOFError, KeyError, OSError, TypeError, ValueError):
            raise self._crash() from None
        return members, data

    def _some(self) -> bytes:
        """Some bytes of the answers, for which it waits."""
        piece = os.read(self._output.fileno(), _PIPE_SIZE)
        if not piece:
            raise EOFError
        return piece

    def _warn(self, sentences: list[str]) -> None:
        """Passes on warnings: of the picture, and what the process has said since the last one."""
        for sentence in sentences:
            warn(sentence)
        size = os.fstat(self._errors).st_size
        if size > self._errors_read:
            with self._writing:
                said = os.pread(self._errors, size - self._errors_read, self._errors_read)
                self._errors_read = max(size, self._errors_read)
            for words in said.decode("utf-8", "replace").splitlines():
                warn(words.removeprefix("loupe-render: ").removeprefix("warning: "))

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
            if self._open:
                # Nobody wants these pictures any more.
                self._process.terminate()
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
        self._end = self._end or CrashError("loupe-render belongs to the interpreter that started it", 0)
        for answer in self._open.values():
            answer.forget()
        # It is not this process's to wait for.
        self._process.returncode = 0


_servers: dict[tuple[str, ...], Server] = {}
_lock = threading.Lock()


def server(flags: tuple[str, ...] = ()) -> Server | _anywhere.Engine:
    """The running process with these flags, started where there is none; or what the package has in place of the command."""
    if _anywhere.is_used():
        return _anywhere.engine(flags)
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
    _anywhere.forget()


atexit.register(close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
