from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reading_model import reparsing
from reading_model.errors import StoreUnavailable
from reading_model.identity import paper_id_of, sha256_hex
from reading_model.models import PaperMetadata
from reading_model.pruning import Pruned, prune
from reading_model.reparsing import ReparseOutcome
from reading_model.store import open_store
from tests.reading_model.plain_parser import PARSERS
from tests.reading_model.sample_documents import long_text
from tests.reading_model.test_ingestion import Desk


class Again(Desk):
    """A desk at which papers are parsed again."""

    def paper(self, name: str, text: str) -> str:
        path = self.write(name, text)
        assert [outcome.status for outcome in self.add(path)] == ["ready"]
        return paper_id_of(sha256_hex(path.read_bytes()))

    def reparse(self, *paper_ids: str, parser: str = "shorter", on_ready: object = None) -> list[ReparseOutcome]:
        outcomes = reparsing.reparse(
            paper_ids,
            store=self.store,
            objects=self.objects,
            on_ready=on_ready or self.index,
            parser=parser,
            parsers=PARSERS,
        )
        return list(outcomes)

    def rebuild(self, *paper_ids: str, parser: str | None = None) -> list[ReparseOutcome]:
        found = reparsing.rebuild(paper_ids, store=self.store, objects=self.objects, on_ready=self.index, parser=parser)
        return list(found)

    def current(self, paper_id: str) -> str:
        return self.store.models.current([paper_id])[paper_id].model_version

    def text(self, paper_id: str) -> str:
        return self.store.models.load(paper_id, self.current(paper_id)).pages[0].text


@pytest.fixture
def desk(store_url: str, tmp_path: Path) -> Iterator[Again]:
    store = open_store(store_url)
    yield Again(store, tmp_path)
    store.close()


@pytest.fixture
def sqlite_desk(sqlite_template: Path, tmp_path: Path) -> Iterator[Again]:
    (tmp_path / "store.db").write_bytes(sqlite_template.read_bytes())
    store = open_store(f"sqlite:///{tmp_path / 'store.db'}")
    yield Again(store, tmp_path)
    store.close()


def statuses(outcomes: list[ReparseOutcome]) -> dict[str, str]:
    return {outcome.paper_id: outcome.status for outcome in outcomes}


def test_a_new_model_stands_beside_the_old_one_and_serves(desk: Again) -> None:
    one, two = desk.paper("1.pdf", "first\nsecond"), desk.paper("2.pdf", long_text(2) + "\nlast")
    before = desk.current(one)
    outcomes = desk.reparse(one, two)
    assert statuses(outcomes) == {one: "ready", two: "ready"}
    assert {outcome.model_version for outcome in outcomes} == {desk.current(one), desk.current(two)}
    assert desk.store.models.versions(one) == [before, desk.current(one)]
    assert desk.text(one) == "first"
    # the paper can be given back to the parser that it came from
    assert statuses(desk.reparse(one, parser="plain")) == {one: "ready"}
    assert desk.current(one) == before


def test_a_run_that_was_stopped_goes_on_where_it_was(sqlite_desk: Again) -> None:
    desk = sqlite_desk
    papers = [desk.paper(f"{number}.pdf", f"first {number}\nsecond") for number in range(3)]
    desk.reparse(*papers)
    desk.indexed.clear()

    def dies_at_the_second(paper_id: str, model_version: str) -> None:
        if len(desk.indexed) == 1:
            raise StoreUnavailable("gone")
        desk.index(paper_id, model_version)

    with pytest.raises(StoreUnavailable):
        desk.reparse(*papers, parser="plain", on_ready=dies_at_the_second)
    assert len({desk.store.models.current([paper])[paper].parser for paper in papers}) == 2
    assert sorted(statuses(desk.reparse(*papers, parser="plain")).values()) == ["ready", "ready", "unchanged"]
    assert statuses(desk.reparse(*papers, parser="plain")) == dict.fromkeys(papers, "unchanged")


def test_what_is_known_by_its_parser_is_not_parsed_again(sqlite_desk: Again) -> None:
    paper = sqlite_desk.paper("1.pdf", "first\nsecond")
    sqlite_desk.objects.delete(sqlite_desk.store.papers.object_key(paper))
    assert statuses(sqlite_desk.reparse(paper, parser="plain")) == {paper: "unchanged"}
    (outcome,) = sqlite_desk.reparse(paper)
    assert outcome.failure is not None
    assert (outcome.status, outcome.failure.code) == ("failed", "object_missing")


def test_the_same_model_again_is_no_change(sqlite_desk: Again) -> None:
    paper = sqlite_desk.paper("1.pdf", "first\nsecond")
    assert statuses(sqlite_desk.reparse(paper)) == {paper: "ready"}
    assert statuses(sqlite_desk.reparse(paper)) == {paper: "unchanged"}  # parsed, because this parser declares nothing


def test_a_paper_that_fails_keeps_its_model_and_fails_alone(sqlite_desk: Again) -> None:
    bad, good = sqlite_desk.paper("bad.pdf", "only once\nx"), sqlite_desk.paper("good.pdf", "first\nsecond")
    empty = sqlite_desk.paper("empty.pdf", "\nthe only line")
    before = sqlite_desk.current(bad)
    outcomes = {outcome.paper_id: outcome for outcome in sqlite_desk.reparse("nobody", bad, empty, good)}
    failures = {name: outcome.failure.code for name, outcome in outcomes.items() if outcome.failure}
    assert failures == {"nobody": "paper_not_found", bad: "damaged", empty: "no_text"}
    assert outcomes[good].status == "ready"
    assert outcomes[bad].model_version == before == sqlite_desk.current(bad)


def test_models_are_rebuilt_from_artifacts_without_the_file(desk: Again) -> None:
    paper = desk.paper("1.pdf", "first\nsecond")
    plain = desk.current(paper)
    desk.reparse(paper)
    desk.objects.delete(desk.store.papers.object_key(paper))
    desk.store.models.delete(plain)
    assert statuses(desk.rebuild(paper)) == {paper: "unchanged"}
    assert statuses(desk.rebuild(paper, parser="plain")) == {paper: "ready"}
    assert (desk.current(paper), desk.text(paper)) == (plain, "first\n\nsecond")
    (outcome,) = desk.rebuild(paper, parser="other")
    assert outcome.failure is not None
    assert outcome.failure.code == "object_missing"


def test_what_a_user_gave_stays(sqlite_desk: Again) -> None:
    paper = sqlite_desk.paper("1.pdf", "first\nsecond")
    given = PaperMetadata(title="Mine", sources={"title": "user"})
    sqlite_desk.store.papers.set_metadata(paper, given)
    sqlite_desk.reparse(paper)
    assert sqlite_desk.store.papers.get([paper])[0].metadata.title == "Mine"


def test_pruning_leaves_what_serves_and_what_served_a_moment_ago(desk: Again) -> None:
    paper = desk.paper("1.pdf", "first\nsecond")
    before, start = desk.current(paper), datetime.now(UTC)
    desk.reparse(paper)
    (old, new) = desk.store.papers.artifacts(paper)
    spared = prune(paper, store=desk.store, objects=desk.objects, quiet_since=start)
    assert spared.models == ()
    gone = prune(paper, store=desk.store, objects=desk.objects, quiet_since=datetime.now(UTC))
    assert gone.models == (before,)
    assert desk.store.models.versions(paper) == [desk.current(paper)]
    assert desk.store.papers.artifacts(paper) == [new]
    assert (desk.objects.exists(old.object_key), desk.objects.exists(new.object_key)) == (False, True)
    assert desk.is_whole(desk.folder / "files" / "1.pdf")
    again = prune(paper, store=desk.store, objects=desk.objects, quiet_since=datetime.now(UTC))
    assert again == Pruned(paper, (), 0)


def test_nothing_is_pruned_of_a_paper_without_a_current_model(sqlite_desk: Again) -> None:
    path = sqlite_desk.write("1.pdf", "first\nsecond")

    def dies(_paper_id: str, _model_version: str) -> None:
        raise StoreUnavailable("gone")

    with pytest.raises(StoreUnavailable):
        sqlite_desk.add(path, on_ready=dies)
    paper = paper_id_of(sha256_hex(path.read_bytes()))
    pruned = prune(paper, store=sqlite_desk.store, objects=sqlite_desk.objects, quiet_since=datetime.now(UTC))
    assert pruned == Pruned(paper, (), 0)
    assert len(sqlite_desk.store.models.versions(paper)) == 1
