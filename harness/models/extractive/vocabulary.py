"""Word lists of the offline model: what carries no content in a question, and numbers written as words."""

from __future__ import annotations

_NUMBERS = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand "
    "million billion dozen half zwei drei vier fünf sechs sieben acht neun zehn elf zwölf hundert "
    "tausend"
)
_LIGHT = (
    "paper papers study studies article articles author authors work works say says report reports "
    "reported mention mentions use used using list find main artikel arbeit autoren auteurs autores"
)
_STOP = {
    "en": (
        "a about all also an and any are as at be been being between both but by can could did do does "
        "doing done each for from had has have having he her his how i if in into is it its itself just me "
        "more most much my no nor not of often far on one only or other our out over same she should so "
        "some such than that the their them then there these they this those through to too under until up "
        "us very was we were what when where which while who whom whose why will with would you your many "
        "according tell explain describe please give show may might must shall s t"
    ),
    "de": (
        "aber alle als also am an auch auf aus bei bis da dass das dem den der des die dies diese dieser "
        "dieses durch ein eine einem einen einer eines er es für gibt hat haben ich ihr im in ist ja kann "
        "kein keine man mehr mit nach nicht noch nur oder sein seine sich sie sind so über um und uns unter "
        "viele viel von vor war waren was welche welcher welches wenn wer werden wie wird wir wo wurde "
        "wurden zu zum zur warum"
    ),
    "fr": (
        "au aux avec ce ces cette combien comme comment dans de des du elle en est et eux il ils je la le "
        "les leur lui mais ne nous on ont ou où par pas pour pourquoi qu que quel quelle quelles quels qui "
        "sa se ses son sont sur un une vous y a d l"
    ),
    "es": (
        "al como cómo con cual cuál cuáles cuántas cuántos de del dónde el en es esta este está fue ha han "
        "la las lo los más no o para pero por qué que se si son su sus un una y"
    ),
    "it": (
        "a al alla che chi come con da dei del della delle di e è gli ha i il in la le lo non o per quale "
        "quali quanti quante si sono su un una"
    ),
    "pt": (
        "a ao as com como da das de do dos e é em na nas no nos o os ou para por qual quais quantas quantos "
        "que se são um uma"
    ),
}

NUMBER_WORDS = frozenset(_NUMBERS.split())

LIGHT_WORDS = frozenset(_LIGHT.split())
"""Words that a question puts around what it asks; they count little, unless they are what is counted."""

STOP_WORDS = {language: frozenset(text.split()) for language, text in _STOP.items()}
"""Words without content by language (ISO 639-1)."""
