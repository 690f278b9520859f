"""Letters and signs that files hold in pieces, on the shared papers."""

from __future__ import annotations

import pytest

from tests.reading_model.parsing.shared import PAPERS, needs_data, parsed, running_text

pytestmark = [pytest.mark.data, needs_data]


@pytest.mark.parametrize(
    ("name", "page", "words"),
    [
        pytest.param(
            "hindawi2016-nsaids-bleeding", 5, "E. L. Massó González, P. Patrignani", id="accents apart in the stream"
        ),
        pytest.param("hindawi2016-nsaids-bleeding", 5, "R. Ordiñana", id="a tilde over its letter"),
        pytest.param(
            "rescience-h-detach", 6, "R. Pascanu, T. Mikolov, and Y. Bengio", id="tight lines keep their spaces"
        ),
        pytest.param("rescience-virial", 1, "for H2–CO interactions", id="a subscript stands at its letter"),
        pytest.param(
            "ja-teleparallel-gravity", 12, "任意の q ≠ 0 および m ≠ 0 に対して", id="a struck-out equals sign"
        ),
        pytest.param("ja-teleparallel-gravity", 3, "Σ ≃ T3", id="a sign without a character map"),
        pytest.param("de-geotopo", 9, "π : X → X, x ↦ [x]", id="an arrow in two pieces"),
        pytest.param("de-geotopo", 104, "i∈N,i≠j", id="a stroke set tight behind a letter"),
        pytest.param("acl2020-specter", 7, "SPECTER", id="small capitals are one word"),
        pytest.param("ar-right-to-left", 1, "تحسين الإنتاجية وحل المشكلات", id="ligatures of a right-to-left line"),
        pytest.param("ar-right-to-left", 1, "مكتبة pandas في Python", id="Latin words in a right-to-left line"),
        pytest.param("jose-pyqint", 5, "doi.org/10.1063/1.464913", id="an address over a line end"),
    ],
)
def test_words_come_out_whole(name: str, page: int, words: str) -> None:
    assert words in running_text(parsed(PAPERS / f"{name}.pdf"), page)
