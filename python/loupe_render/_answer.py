"""What is said about a picture that is drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from loupe_render._errors import error_of


class Drawing(Protocol):
    """Who draws pictures and can be asked for them: a process of the command, or the module of the reference renderer."""

    def wait(self, has_come: Callable[[], bool]) -> None:
        """Waits for a part of an answer."""

    def pixels(self, number: int) -> Pixels | None:
        """The pixels of a job's picture; None where it has them no more."""


class Pixels(NamedTuple):
    """Rows of red, green, blue and straight alpha, of 8 bits, or of 16 bits as the machine has them."""

    width: int
    height: int
    data: bytearray


class Answer:
    """What the process says about a picture. It has the PNG a little later than it knows that there will be one.

    `again` draws the picture once more, by a process of a fork of this interpreter.
    """

    def __init__(self, server: Drawing, number: int, again: Callable[[], Answer] | None = None) -> None:
        self._server: Drawing | None = server
        self._number, self._again = number, again
        self.is_rendered = False
        self.warnings: list[str] = []
        # As they came, once they have.
        self.members: dict[str, Any] | None = None
        self._png = b""

    def take(self, members: dict[str, Any], png: bytes) -> None:
        """Takes what the process has said."""
        self.warnings += members.get("warnings", [])
        self.is_rendered = True
        if members["state"] != "rendered":
            # Other threads look at the members first.
            self._png, self.members = png, members

    def forget(self) -> None:
        """Lets go of the process, which belongs to the interpreter of which this one is a fork."""
        self._server = None

    def done(self) -> dict[str, Any]:
        """What the process said at the end, for which it waits."""
        if self.members is None and self._server is not None:
            self._server.wait(lambda: self.members is not None)
        elif self.members is None and self._again is not None:
            again = self._again()
            self._png, self.members = again.png, again.members
        assert self.members is not None
        if self.members["state"] == "failed":
            raise error_of(self.members["code"], "\n".join([self.members["error"], *self.members.get("details", [])]))
        return self.members

    def __getstate__(self) -> dict[str, Any]:
        self.done()
        return {**vars(self), "_server": None, "_again": None}

    @property
    def stats(self) -> dict[str, Any]:
        """What was drawn, by which shaders, and how long it took."""
        found: dict[str, Any] = self.done().get("stats", {})
        return found

    @property
    def png(self) -> bytes:
        """The picture."""
        self.done()
        return self._png

    @property
    def pixels(self) -> Pixels | None:
        """The picture's pixels, for which it does not wait until the PNG is made; None where the process has dropped them."""
        return self._server.pixels(self._number) if self._server else None
