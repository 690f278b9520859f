"""Which files a person means who names files, folders and patterns."""

from __future__ import annotations

import glob
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from reading_model.parsing.mineru.bundle import archive_holds_output, is_drawing, outputs_among, role_of
from reading_model.parsing.mineru.paperloom import SNIFFED, looks_like_export

_SUFFIX = ".pdf"
_MAGIC = b"%PDF-"
_MAGIC_WITHIN = 1024  # readers accept this many bytes before the header


def discover(paths: Sequence[Path]) -> list[Path]:
    """The papers that are meant, each once, those of a folder sorted by name.

    A paper is a PDF, or the output of another parser: a folder or archive of MinerU's, its content list where a folder
    holds several, a PaperLoom export.

    Folders are searched with their subfolders, hidden ones left out; there a file counts by its suffix or by how it
    starts. A file that is named is kept whatever it is, and so is a name that does not exist (adding it then says what
    is wrong), but not one that stands beside a PDF of the same name, such as `paper.jats.xml` beside `paper.pdf`.
    """
    found: dict[Path, Path] = {}
    for path in paths:
        for file in _meant(path):
            found.setdefault(file.resolve(), file)
    return list(found.values())


def _meant(path: Path) -> Iterable[Path]:
    if path.is_dir():
        return _inside(path)
    if path.exists():
        return [path] if _is_pdf(path) or _is_output(path) or not _is_sidecar(path) else []
    matches = sorted(Path(name) for name in glob.glob(str(path), recursive=True))  # noqa: PTH207 - any folder, absolute ones too
    if matches:
        return [file for match in matches for file in _meant(match)]
    return [path]


def _inside(folder: Path) -> Iterator[Path]:
    entries = [entry for entry in sorted(folder.iterdir()) if not entry.name.startswith(".")]
    names = [entry.name for entry in entries if entry.is_file()]
    outputs = outputs_among(names)
    taken = {output.pdf for output in outputs}
    if len(outputs) == 1:
        yield folder
    elif outputs:
        yield from (folder / output.file for output in outputs)
    for entry in entries:
        if entry.is_dir():
            # a link to a folder above would never end
            if not entry.is_symlink():
                yield from _inside(entry)
        elif entry.name in taken or (outputs and is_drawing(entry.name)):
            continue
        elif entry.is_file() and (_is_pdf(entry) or _is_export(entry)):
            yield entry


def _is_pdf(path: Path) -> bool:
    if path.suffix.lower() == _SUFFIX:
        return True
    if not path.is_file():
        return False  # opening a pipe would wait for a writer
    try:
        with path.open("rb") as file:
            return _MAGIC in file.read(_MAGIC_WITHIN)
    except OSError:
        return False  # it cannot be read, so it is not known to be a PDF


def _is_output(path: Path) -> bool:
    return role_of(path.name) is not None or _is_export(path)


def _is_export(path: Path) -> bool:
    """Whether a file is another parser's output of one paper."""
    suffix = path.suffix.lower()
    if not path.is_file():
        return False
    if suffix == ".zip":
        return archive_holds_output(path)
    if suffix != ".json":
        return False
    try:
        with path.open("rb") as file:
            return looks_like_export(file.read(SNIFFED))
    except OSError:
        return False


def _is_sidecar(path: Path) -> bool:
    stem = path.name.split(".", 1)[0]
    return bool(stem) and (path.with_name(stem + _SUFFIX).exists() or path.with_suffix(_SUFFIX).exists())
