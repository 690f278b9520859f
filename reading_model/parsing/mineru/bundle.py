"""The files of one MinerU output: found in a folder, in a zip, beside a PDF, or named.

MinerU names them by role, with the paper's name before it in its own output folders (`paper_content_list.json`) and
without in downloads (`content_list.json`). One folder may hold several outputs; then each is named by its
file.
"""

from __future__ import annotations

import gzip
import io
import re
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePosixPath

from reading_model.errors import DamagedArtifact, FileTooLarge, NotAnArtifact
from reading_model.files import read_regular_file
from reading_model.identity import sha256_hex
from reading_model.parsing.mineru.archive import Archive

MAX_JSON = 64 * 1024**2
"""Bytes of one JSON file when unpacked."""

DEFAULT_MAX_BYTES = 512 * 1024**2
_ZIP = b"PK\x03\x04"
_EPOCH = (1980, 1, 1, 0, 0, 0)


class Role(StrEnum):
    """What a file of an output holds."""

    CONTENT_LIST = "content_list.json"
    CONTENT_LIST_V2 = "content_list_v2.json"
    STRUCTURED = "structured_content.json"
    LAYOUT = "layout.json"
    PDF = "origin.pdf"


_NAMES = (
    (Role.CONTENT_LIST_V2, re.compile(r"(?:(.+)_)?content_list_v2\.json(?:\.gz)?", re.I)),
    (Role.CONTENT_LIST, re.compile(r"(?:(.+)[_.])?content_list\.json(?:\.gz)?", re.I)),
    (Role.STRUCTURED, re.compile(r"(?:(.+)_)?structured_content\.json(?:\.gz)?", re.I)),
    (Role.LAYOUT, re.compile(r"(?:(.+)_)?(?:layout|middle|middle_json)\.json(?:\.gz)?", re.I)),
)
_PDF = re.compile(r"(.+)\.pdf", re.I)
_DRAWN = re.compile(r"(?:.*_)?(?:layout|span|spans|model|line_sort)\.pdf", re.I)  # the parser's drawings of its result
_ORIGIN = re.compile(r"(?:.*_)?origin\.pdf", re.I)
_BLOCKS = frozenset({Role.CONTENT_LIST, Role.CONTENT_LIST_V2, Role.STRUCTURED, Role.LAYOUT})


@dataclass(frozen=True, slots=True)
class Bundle:
    """The files of one output by role, JSON unpacked. `packed` is the same bundle as bytes, equal for equal files."""

    files: Mapping[Role, bytes]

    @property
    def pdf(self) -> bytes | None:
        """The bytes of the source PDF, where it is there."""
        return self.files.get(Role.PDF)

    def packed(self) -> bytes:
        """A zip of the files in the order of their roles, the same bytes wherever they came from."""
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
            for role in Role:
                if role in self.files:
                    archive.writestr(zipfile.ZipInfo(role.value, _EPOCH), self.files[role])
        return out.getvalue()

    def source_sha256(self) -> str:
        """64 hex digits over the PDF where it is there, else over the packed bundle."""
        return sha256_hex(self.packed() if self.pdf is None else self.pdf)


@dataclass(frozen=True, slots=True)
class _Disk:
    """Reads regular files of bounded size."""

    max_bytes: int

    def read(self, path: Path) -> bytes:
        return read_regular_file(path, self.max_bytes)


def unpacked(data: bytes) -> Bundle:
    """The bundle that `Bundle.packed` gave."""
    archive = Archive(data)
    return Bundle({role: archive.read(role.value) for role in Role if role.value in archive.names})


def role_of(name: str) -> tuple[Role, str] | None:
    """The role of a file by its name, and the paper's name before it (or nothing); None for other files."""
    for role, pattern in _NAMES:
        match = pattern.fullmatch(name)
        if match is not None:
            return role, match[1] or ""
    return None


def is_drawing(name: str) -> bool:
    """Whether a PDF is MinerU's drawing of its own result, and no paper."""
    return _DRAWN.fullmatch(name) is not None


def open_bundle(path: Path, max_bytes: int = DEFAULT_MAX_BYTES) -> Bundle:
    """The output at a path: a folder, a zip, one of its JSON files, or the PDF beside which it lies.

    Files of more than `max_bytes` are refused. Raises NotAnArtifact, DamagedArtifact, UnsafeArchive or FileTooLarge;
    OSError where a file cannot be read.
    """
    disk = _Disk(max_bytes)
    if path.is_dir():
        bundle = _of_folder(path, None, disk)
    elif role_of(path.name) is not None:
        bundle = _of_folder(path.parent, path.name, disk)
    elif path.suffix.lower() == ".pdf":
        return _beside(path, disk)
    else:
        bundle = _of_file(path, disk)
    return _with_pdf(bundle, path, disk)


def _of_file(path: Path, disk: _Disk) -> Bundle:
    data = disk.read(path)
    if path.suffix.lower() == ".zip" or data.startswith(_ZIP):
        return _of_zip(data)
    raise NotAnArtifact(f"{path.name} is no MinerU output by its name: an archive, or for instance content_list.json.")


def _beside(pdf: Path, disk: _Disk) -> Bundle:
    stem = pdf.stem.removesuffix("_origin")
    candidates = [pdf.with_suffix(""), *(pdf.with_suffix("") / kind for kind in ("auto", "txt", "ocr", "vlm"))]
    for folder in candidates:
        if folder.is_dir() and _groups(_file_names(folder)):
            return Bundle({**_of_folder(folder, None, disk).files, Role.PDF: disk.read(pdf)})
    archive = pdf.with_suffix(".zip")
    if archive.is_file():
        return Bundle({**_of_zip(disk.read(archive)).files, Role.PDF: disk.read(pdf)})
    groups = _groups(_file_names(pdf.parent))
    names = groups.get(stem) or (groups.get("") if _is_alone(pdf) else None)
    if names is None:
        message = f"There is no MinerU output beside {pdf.name}."
        raise NotAnArtifact(
            message, hint=f"Put it into a folder `{pdf.stem}` or an archive `{archive.name}` beside it."
        )
    return Bundle({**_json_files(names, lambda name: disk.read(pdf.parent / name)), Role.PDF: disk.read(pdf)})


def _is_alone(pdf: Path) -> bool:
    return _source_pdf(_file_names(pdf.parent), "", is_only=True) == pdf.name


def _file_names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir() if entry.is_file())


def _of_folder(folder: Path, named: str | None, disk: _Disk) -> Bundle:
    names = _file_names(folder)
    prefix, chosen = _chosen(names, named, folder.name)

    def read(name: str) -> bytes:
        return disk.read(folder / name)

    return _bundle(names, prefix, chosen, read)


def _of_zip(data: bytes) -> Bundle:
    archive = Archive(data)
    folders: dict[str, list[str]] = {}
    for name in archive.names:
        path = PurePosixPath(name)
        folders.setdefault(str(path.parent), []).append(path.name)
    outputs = {folder: names for folder, names in folders.items() if _groups(names)}
    if len(outputs) != 1:
        count = "several MinerU outputs" if outputs else "no MinerU output"
        message = f"The archive holds {count}."
        raise NotAnArtifact(message)
    ((folder, names),) = outputs.items()
    prefix, chosen = _chosen(names, None, folder)
    return _bundle(names, prefix, chosen, lambda name: archive.read(name if folder == "." else f"{folder}/{name}"))


def _groups(names: Iterable[str]) -> dict[str, dict[Role, str]]:
    """The outputs among some file names of one folder: for each paper's name, its files by role.

    A name without the paper's belongs to the one output there is.
    """
    found: dict[str, dict[Role, str]] = {}
    for name in names:
        match = role_of(name)
        if match is not None:
            found.setdefault(match[1], {}).setdefault(match[0], name)
    named = [prefix for prefix in found if prefix]
    if len(named) == 1 and "" in found:
        found = {named[0]: {**found[""], **found[named[0]]}}
    return found


@dataclass(frozen=True, slots=True)
class Output:
    """One output among the files of a folder: the file that stands for it, and its source PDF where it is there."""

    file: str
    pdf: str | None


def outputs_among(names: Sequence[str]) -> list[Output]:
    """The outputs among the names of one folder; none for other folders.

    A layout alone counts only under MinerU's own name for it, since `layout.json` may be anything.
    """
    groups = _groups(names)
    found: list[Output] = []
    for prefix, roles in groups.items():
        first = next((roles[role] for role in Role if role in roles), None)
        if first is not None and (set(roles) != {Role.LAYOUT} or "middle" in first.lower()):
            found.append(Output(first, _source_pdf(names, prefix, is_only=len(groups) == 1)))
    return sorted(found, key=lambda output: output.file)


def archive_holds_output(path: Path) -> bool:
    """Whether a zip is the output of one paper, by the names in it; what cannot be read is none."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError):
        return False
    folders: dict[str, list[str]] = {}
    for name in names:
        place = PurePosixPath(name)
        folders.setdefault(str(place.parent), []).append(place.name)
    return any(outputs_among(held) for held in folders.values())


def _chosen(names: Sequence[str], named: str | None, place: str) -> tuple[str, dict[Role, str]]:
    groups = _groups(names)
    if named is not None:
        for prefix, roles in groups.items():
            if named in roles.values():
                return prefix, roles
    if len(groups) == 1:
        return next(iter(groups.items()))
    if not groups:
        raise NotAnArtifact(f"There is no MinerU output in {place}.")
    message = f"{place} holds the outputs of {len(groups)} papers."
    raise NotAnArtifact(message, hint="Name the content list of the one that you mean.")


def _bundle(names: Sequence[str], prefix: str, roles: Mapping[Role, str], read: Callable[[str], bytes]) -> Bundle:
    files = _json_files(roles, read)
    pdf = _source_pdf(names, prefix, is_only=len(_groups(names)) == 1)
    if pdf is not None:
        files[Role.PDF] = read(pdf)
    return Bundle(files)


def _json_files(roles: Mapping[Role, str], read: Callable[[str], bytes]) -> dict[Role, bytes]:
    return {role: _plain(name, read(name)) for role, name in roles.items()}


def _source_pdf(names: Sequence[str], prefix: str, *, is_only: bool) -> str | None:
    """The paper among the PDFs beside an output: by MinerU's name, the paper's, or because both are the only ones."""
    papers = [name for name in dict.fromkeys(names) if _PDF.fullmatch(name) and not is_drawing(name)]
    origins = [name for name in papers if _ORIGIN.fullmatch(name) and name.lower().startswith(prefix.lower())]
    same = [name for name in papers if prefix and name.lower() == f"{prefix}.pdf".lower()]
    for found in (origins, same, papers if is_only else []):
        if len(found) == 1:
            return found[0]
    return None


def _with_pdf(bundle: Bundle, path: Path, disk: _Disk) -> Bundle:
    """The bundle with the PDF of the same name that lies beside its folder or archive, where it has none itself."""
    pdf = path.with_name((path.name if path.is_dir() else path.stem) + ".pdf")
    if bundle.pdf is not None or not pdf.is_file():
        return bundle
    return Bundle({**bundle.files, Role.PDF: disk.read(pdf)})


def _plain(name: str, data: bytes) -> bytes:
    if name.lower().endswith(".gz"):
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
                data = file.read(MAX_JSON + 1)
        except (OSError, EOFError, zlib.error) as error:
            raise DamagedArtifact(f"{name} cannot be unpacked: {error}.") from error
    if len(data) > MAX_JSON:
        raise FileTooLarge(f"{name} has more than {MAX_JSON:,} bytes.")
    return data
