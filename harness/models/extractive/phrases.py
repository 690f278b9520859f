"""What the offline model says in its own words, in the languages it can say it in; none of it is about a paper."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Phrases:
    """Sentences of the offline model. `{titles}`, `{clue}` and `{count}` are filled in."""

    greeting: str
    nothing_found: str
    other_language: str
    no_papers: str
    not_in_scope: str
    which_paper: str
    rest_missing: str
    no_question: str
    papers_listed: str


_ENGLISH = Phrases(
    greeting="Hello! What would you like to know about your papers?",
    nothing_found="No passage that answers this question was found in the papers that were searched.",
    other_language=(
        "No passage that answers this question was found: the papers are not in the language of the question, and "
        "without a language model only words that stand in the papers can be found. Please ask in their language."
    ),
    no_papers="No paper that could answer this question was found.",
    not_in_scope="The paper “{clue}” is not among the papers that may be searched.",
    which_paper="Several papers fit that name. Which one do you mean?",
    rest_missing="The papers that were read do not state the rest of the answer.",
    no_question="What would you like to know about your papers?",
    papers_listed="There are {count} papers in the library:",
)
_GERMAN = Phrases(
    greeting="Guten Tag! Was möchten Sie über Ihre Artikel wissen?",
    nothing_found="In den durchsuchten Artikeln wurde keine Stelle gefunden, die diese Frage beantwortet.",
    other_language=(
        "Es wurde keine Stelle gefunden, die diese Frage beantwortet: Die Artikel sind nicht in der Sprache der Frage, "
        "und ohne Sprachmodell lassen sich nur Wörter finden, die in den Artikeln stehen. Bitte fragen Sie in deren "
        "Sprache."
    ),
    no_papers="Es wurde kein Artikel gefunden, der diese Frage beantworten könnte.",
    not_in_scope="Der Artikel „{clue}“ ist nicht unter den Artikeln, die durchsucht werden dürfen.",
    which_paper="Mehrere Artikel passen zu diesem Namen. Welchen meinen Sie?",
    rest_missing="Die gelesenen Artikel nennen den Rest der Antwort nicht.",
    no_question="Was möchten Sie über Ihre Artikel wissen?",
    papers_listed="Es gibt {count} Artikel in der Bibliothek:",
)
_CHINESE = Phrases(
    greeting="您好！您想了解论文中的什么内容？",
    nothing_found="在检索的论文中没有找到能回答这个问题的段落。",
    other_language=(
        "没有找到能回答这个问题的段落：论文的语言与问题的语言不同，而离线模式只能查找论文中出现的词。请用论文的语言提问。"
    ),
    no_papers="没有找到能回答这个问题的论文。",
    not_in_scope="论文「{clue}」不在可检索的论文之中。",
    which_paper="有几篇论文符合这个名称。您指的是哪一篇？",
    rest_missing="已读的论文没有给出答案的其余部分。",
    no_question="您想了解论文中的什么内容？",
    papers_listed="文献库中共有 {count} 篇论文：",
)
_BY_LANGUAGE = {"de": _GERMAN, "zh": _CHINESE}


def phrases(language: str) -> Phrases:
    """The sentences in a language (ISO 639-1), English where there are none."""
    return _BY_LANGUAGE.get(language, _ENGLISH)
