"""Server-sent events as bytes arrive (WHATWG HTML, 9.2.6): the data of each event, nothing else."""

from __future__ import annotations

import codecs


class EventReader:
    """Feed bytes cut anywhere; get the data of each event that is complete.

    Lines end in LF, CR LF or CR. Comments and fields other than `data` are skipped; an event that no empty line closes
    is not an event.
    """

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._pending = ""
        self._data: list[str] = []
        self._after_return = False

    def feed(self, chunk: bytes) -> list[str]:
        """The events that these bytes complete."""
        text = self._decoder.decode(chunk)
        if self._after_return and text:
            text = text.removeprefix("\n")
            self._after_return = False
        self._after_return = self._after_return or text.endswith("\r")
        lines = (self._pending + text.replace("\r\n", "\n").replace("\r", "\n")).split("\n")
        self._pending = lines.pop()
        return [event for line in lines if (event := self._line(line)) is not None]

    def _line(self, line: str) -> str | None:
        if line:
            field, _, value = line.partition(":")
            if field == "data":
                self._data.append(value.removeprefix(" "))
            return None
        event = "\n".join(self._data) if self._data else None
        self._data = []
        return event
