"""Which entry of a bibliography belongs to which file: by the file that it names, DOI, arXiv number, title or key."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath

from index.identities import comparable_arxiv, comparable_doi, comparable_filename, comparable_title
from reading_model.bibliography import BibliographyEntry
from reading_model.models import PaperMetadata

Matches = list[BibliographyEntry]


class Bibliography:
    """The entries that a person gave for some files, and which of them have found theirs.

    Clues are taken in a fixed order and the first that fits decides. A clue that fits entries with different facts
    decides nothing.
    """

    def __init__(self, entries: Sequence[BibliographyEntry]) -> None:
        self._entries = tuple(entries)
        self._used: set[int] = set()
        self._without: dict[Path, None] = {}
        self._by_file = _index(entries, lambda entry: map(comparable_filename, entry.files))
        self._by_doi = _index(entries, lambda entry: [_doi(entry.doi)])
        self._by_arxiv = _index(entries, lambda entry: [_arxiv(entry.arxiv_id), _arxiv(entry.doi)])
        self._by_title = _index(entries, lambda entry: [comparable_title(entry.title or "")])
        self._by_key = _index(entries, lambda entry: [comparable_filename(entry.key)])

    def given(self, path: Path, found: PaperMetadata) -> dict[str, object]:
        """What the bibliography says of a file of which a parser found `found`: fields of PaperMetadata, maybe none."""
        entry = self._match(path, found)
        if entry is None:
            self._without[path] = None
            return {}
        self._used.update(number for number, other in enumerate(self._entries) if _same_facts(entry, other))
        return entry.given()

    def unmatched(self) -> list[BibliographyEntry]:
        """Entries that belong to no file asked about so far, in their order."""
        return [entry for number, entry in enumerate(self._entries) if number not in self._used]

    def files_without(self) -> list[Path]:
        """Files asked about that no entry belongs to, in the order in which they came."""
        return list(self._without)

    def _match(self, path: Path, found: PaperMetadata) -> BibliographyEntry | None:
        name = comparable_filename(path.name)
        clues = (
            _nearest(self._by_file.get(name, []), path),
            self._by_doi.get(_doi(found.doi), []),
            self._by_arxiv.get(_arxiv(found.arxiv_id) or _arxiv(found.doi) or _arxiv(path.name), []),
            self._by_title.get(comparable_title(found.title or ""), []),
            self._by_key.get(name, []),
        )
        for matches in clues:
            if matches and all(_same_facts(matches[0], other) for other in matches):
                return matches[0]
        return None


def _index(
    entries: Iterable[BibliographyEntry], names: Callable[[BibliographyEntry], Iterable[str | None]]
) -> Mapping[str | None, Matches]:
    by_name: dict[str | None, Matches] = {}
    for entry in entries:
        for name in {name for name in names(entry) if name}:
            by_name.setdefault(name, []).append(entry)
    return by_name


def _nearest(matches: Matches, path: Path) -> Matches:
    """Of the entries that name a file of this name, those whose path agrees longest with the file's own."""
    shared = [max(_shared_end(path, file) for file in entry.files) for entry in matches]
    return [entry for entry, length in zip(matches, shared, strict=True) if length == max(shared)]


def _shared_end(path: Path, file: str) -> int:
    length = 0
    for one, other in zip(reversed(path.parts), reversed(PurePosixPath(file).parts), strict=False):
        if one.casefold() != other.casefold():
            break
        length += 1
    return length


def _same_facts(one: BibliographyEntry, other: BibliographyEntry) -> bool:
    return one.given() == other.given()


def _doi(text: str | None) -> str | None:
    return comparable_doi(text) if text else None


def _arxiv(text: str | None) -> str | None:
    number = comparable_arxiv(text) if text else None
    return None if number is None else number.number
