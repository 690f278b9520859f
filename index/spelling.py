"""One spelling for words that English writes in two ways: what the stemmer does not bring together.

American spelling stands for British, the singular for plurals of Latin, Greek and Old English, and an acronym for its
plural. The rules are those of English grammars and style guides; they look at a word alone, never at a corpus.
"""

from __future__ import annotations

from collections.abc import Mapping

import regex

_ACRONYM_PLURAL = regex.compile(r"[\p{L}\p{N}]*\p{Lu}[\p{L}\p{N}]*[\p{Lu}\p{N}]s|[\p{L}\p{N}]+\p{Lu}s")
_CONSONANTS_PLURAL = regex.compile(r"[bcdfghjklmnpqrtvwxz]{3,}s")
"""`llms`, `rnns`, `gpcrs`: the stemmer wants a vowel before it takes an `s` off."""


_PLURALS = """
    mice mouse  men man  women woman  children child  feet foot  teeth tooth  geese goose  lice louse
    bacteria bacterium  criteria criterion  phenomena phenomenon  mitochondria mitochondrion  ganglia ganglion
    taxa taxon  strata stratum  spectra spectrum  quanta quantum  ova ovum  sera serum  septa septum  atria atrium
    automata automaton  polyhedra polyhedron  loci locus  foci focus  nuclei nucleus  fungi fungus
    stimuli stimulus  bacilli bacillus  radii radius  emboli embolus  thrombi thrombus  bronchi bronchus
    villi villus  moduli modulus  tori torus  matrices matrix  indices index  appendices appendix  vertices vertex
    vortices vortex  cortices cortex  apices apex  helices helix  simplices simplex  larvae larva  algae alga
    formulae formula  vertebrae vertebra  antennae antenna  pupae pupa  lacunae lacuna  amoebae amoeba
    schemata schema  stomata stoma  lemmata lemma  genera genus  corpora corpus  foramina foramen  lumina lumen
    leaves leaf  lives life  halves half  shelves shelf  wolves wolf  calves calf  knives knife
"""
_PLURAL_AND_SINGULAR = _PLURALS.split()
_SINGULARS: dict[str, str] = dict(zip(_PLURAL_AND_SINGULAR[::2], _PLURAL_AND_SINGULAR[1::2], strict=True))
_GREEK_PLURAL = regex.compile(
    r"\p{L}*(?:ly|the|(?:meta|h[ao]?emo|homeo)sta|gno|cri|empha|necro|fibro|psycho|neuro|thrombo|steno|zoono|diure|"
    r"pare|gene)(?=ses$)"
)

_LIKE_COLOR = (
    r"(tum|behavi|col|fav|hon|lab|neighb|hum|rum|vap|od|vig|flav|harb|ferv|arm|val|endeav|sav|rig|splend|cand)our"
)
_ALWAYS_ISE = (
    r"(?:\p{L}*(?:exerc|superv|comprom|surpr|prec|conc|telev|improv|advert|expert|enterpr|franch|merchand|circumc)"
    r"|(?:un|re|pre)?(?:adv|ar|compr|dem|desp|dev|exc|inc|prem|prom|rev|r|surm|treat))is(?:e|ed|es|ing|able|ers?)$"
)
_ENDINGS = (
    ("our", regex.compile(_LIKE_COLOR), r"\1or"),
    ("re", regex.compile(r"(cent|fib|lit|met|tit|theat|spect|calib|lust|goit)re(?=s?$)"), r"\1er"),
    (
        "is",
        regex.compile(rf"^(?!{_ALWAYS_ISE})(\p{{L}}{{3,}}[^aouw])is(?=ations?$|ed$|es?$|ing$|able$|ers?$)"),
        r"\1iz",
    ),
    ("lys", regex.compile(r"lys(?=ed$|es?$|ing$|ers?$)"), "lyz"),
    ("ogue", regex.compile(r"(?<=\p{L}{3})ogue(?=s?$)"), "og"),
    ("programme", regex.compile(r"programme(?=s?$)"), "program"),
    ("oes", regex.compile(r"^oes(?=trog|trad|trus|oph)"), "es"),
)
"""A part that a word must hold, what is written in the British way, and the American way."""

_DIGRAPHS = {
    "haem": "hem",
    "aemi": "emi",
    "oedem": "edem",
    "foet": "fet",
    "faec": "fec",
    "paed": "ped",
    "gynaec": "gynec",
    "anaesth": "anesth",
    "aetiol": "etiol",
    "caesar": "cesar",
    "caecu": "cecu",
    "coeliac": "celiac",
    "amoeb": "ameb",
    "palaeo": "paleo",
    "archaeo": "archeo",
    "homoeo": "homeo",
    "rrhoea": "rrhea",
    "pnoea": "pnea",
    "manoeuvr": "maneuver",
}
_OTHERS = {
    "sulph": "sulf",
    "mould": "mold",
    "artefact": "artifact",
    "defence": "defense",
    "offence": "offense",
    "licence": "license",
    "practis": "practic",
    "judgement": "judgment",
    "acknowledgement": "acknowledgment",
    "aluminium": "aluminum",
    "fulfilment": "fulfillment",
    "enrolment": "enrollment",
    "sceptic": "skeptic",
    "ageing": "aging",
    "grey": "gray",
}


def one_spelling(word: str) -> str:
    """The spelling under which a folded Latin word is stemmed; a word with one spelling comes back as it is."""
    if (singular := _SINGULARS.get(word)) is not None:
        return singular
    if word.endswith("s"):
        if _CONSONANTS_PLURAL.fullmatch(word):
            return word[:-1]
        if (greek := _GREEK_PLURAL.match(word)) is not None:
            word = greek.group() + "sis"
    return _american(word)


def singular_acronym(word: str) -> str:
    """An acronym without its plural's `s` (`mRNAs` -> `mRNA`, `E2Fs` -> `E2F`); any other word as it is."""
    return word[:-1] if word.endswith("s") and _ACRONYM_PLURAL.fullmatch(word) else word


def _american(word: str) -> str:
    for part, british, american in _ENDINGS:
        if part in word:
            word = british.sub(american, word)
    if "ae" in word or "oe" in word:
        word = _replaced(word, _DIGRAPHS)
    return _replaced(word, _OTHERS)


def _replaced(word: str, letters: Mapping[str, str]) -> str:
    for written, american in letters.items():
        if written in word:
            word = word.replace(written, american)
    return word
