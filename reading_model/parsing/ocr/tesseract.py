"""Tesseract, called as a program where the system has it (Apache-2.0; not a dependency)."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass

from reading_model.parsing.ocr.hocr import reading_of
from reading_model.parsing.ocr.reading import GreyImage, Reading, Unread
from reading_model.parsing.ocr.turning import turned

PAGE_SECONDS = 60.0  # a dense page takes 3; what takes longer is noise that looks like text
QUERY_SECONDS = 20.0
MOST_LANGUAGES = 3  # each one costs time on every page
DOUBTFUL = 0.7  # mean confidence below which the page may lie on its side
ENGLISH = "eng"
_NOT_LANGUAGES = frozenset({"osd", "equ", "snum"})
_ROTATE = re.compile(r"^Rotate: (\d+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Tesseract:
    """The program, its version, and the language data it is run with."""

    program: str
    version: str
    languages: tuple[str, ...]
    page_seconds: float = PAGE_SECONDS
    dpi: int = 200

    @property
    def identity(self) -> str:
        """`tesseract VERSION LANGUAGES`."""
        return f"tesseract {self.version} {'+'.join(self.languages)}"

    def read(self, image: GreyImage) -> Reading | Unread:
        """Read a page; one that reads badly is tried again the way up that Tesseract's script detection gives."""
        reading = self._read(image, 0)
        if isinstance(reading, Unread) or _confidence(reading) >= DOUBTFUL:
            return reading
        turn = self._turn(image)
        if turn == 0:
            return reading
        again = self._read(turned(image, turn), turn)
        better = isinstance(again, Reading) and _confidence(again) > _confidence(reading)
        return again if better else reading

    def _read(self, image: GreyImage, turn: int) -> Reading | Unread:
        arguments = ["-l", "+".join(self.languages), "--psm", "3", "-c", "hocr_char_boxes=1", "hocr"]
        output = self._run(image, arguments)
        return output if isinstance(output, Unread) else reading_of(output, turn=turn)

    def _turn(self, image: GreyImage) -> int:
        """Degrees clockwise that set the page upright; 0 where Tesseract cannot tell."""
        output = self._run(image, ["--psm", "0"])
        found = _ROTATE.search(output) if isinstance(output, str) else None
        return int(found[1]) % 360 if found else 0

    def _run(self, image: GreyImage, arguments: list[str]) -> str | Unread:
        command = [self.program, "stdin", "stdout", "--dpi", str(round(image.dpi)), *arguments]
        environment = {
            **os.environ,
            "OMP_THREAD_LIMIT": "1",
        }  # its threads gain nothing and take the other workers' cores
        try:
            with subprocess.Popen(  # noqa: S603 - the program that was found on the path, without a shell
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
            ) as process:
                _limit(process.pid, self.page_seconds)
                try:
                    output, errors = process.communicate(image.pgm(), timeout=self.page_seconds)
                except subprocess.TimeoutExpired:
                    process.kill()
                    return Unread(f"Tesseract took more than {self.page_seconds:g} seconds")
        except OSError as error:
            return Unread(f"Tesseract cannot be started: {error.strerror or error}")
        if process.returncode != 0:
            said = errors.decode("utf-8", "replace").strip().splitlines()
            return Unread(f"Tesseract failed: {said[-1] if said else f'exit code {process.returncode}'}")
        return output.decode("utf-8", "replace")


def find_tesseract(program: str = "tesseract") -> Tesseract | None:
    """Tesseract with the language data there is, or None where it is not installed or has no language data.

    All languages are used where there are at most three, else English alone: more would slow every page down.
    """
    path = shutil.which(program)
    if path is None:
        return None
    version = re.search(r"tesseract v?(\S+)", _ask(path, "--version"))
    listed = _ask(path, "--list-langs").splitlines()[1:]
    languages = sorted(
        {name.strip() for name in listed} - _NOT_LANGUAGES - {""}, key=lambda name: (name != ENGLISH, name)
    )
    if len(languages) > MOST_LANGUAGES:
        languages = [ENGLISH] if ENGLISH in languages else languages[:1]
    if version is None or not languages:
        return None
    return Tesseract(path, version[1], tuple(languages))


def _ask(program: str, question: str) -> str:
    """What the program says of itself; empty where it does not answer."""
    try:
        done = subprocess.run([program, question], capture_output=True, timeout=QUERY_SECONDS, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("utf-8", "replace")


def _limit(pid: int, seconds: float) -> None:
    """Bound the program's processor time, so that it ends by itself when the process that waits for it is killed."""
    if sys.platform != "linux":
        return
    import resource  # noqa: PLC0415 - exists on POSIX only

    limit = max(1, round(seconds))
    try:
        resource.prlimit(pid, resource.RLIMIT_CPU, (limit, limit))
    except ProcessLookupError:
        return  # it ended already, and says why itself


def _confidence(reading: Reading) -> float:
    """Mean confidence by characters; 1 for a page without words."""
    words = [word for line in reading.lines for word in line.words]
    letters = sum(len(word.text) for word in words)
    return sum(word.confidence * len(word.text) for word in words) / letters if letters else 1.0
