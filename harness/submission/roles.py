"""What a block is in the answer: a claim, or one of the few things that need no evidence.

The exceptions are closed lists, so that prose about a paper never falls into one: labels and lead-ins, greetings,
questions back to the person, statements that this run found nothing, and facts of the catalogue (see `catalogue`).
"""

from __future__ import annotations

import re
from enum import StrEnum

from harness.submission.blocks import Block, BlockKind
from harness.submission.protected import MASK

MAX_LEAD_IN_WORDS = 12
MAX_LABEL_WORDS = 8
MAX_QUESTION_CHARACTERS = 300
MAX_OFFER_WORDS = 25
MAX_BARE_LABEL_WORDS = 4
MAX_GAP_SENTENCES = 2
MAX_FORMULA_NOTE_WORDS = 20


class Role(StrEnum):
    """What a block does; only CLAIM and FORMULA need evidence."""

    CLAIM = "claim"
    FORMULA = "formula"
    CODE = "code"
    LABEL = "label"
    GREETING = "greeting"
    QUESTION = "question"
    GAP = "gap"
    CATALOGUE = "catalogue"
    FALSE_CATALOGUE = "false catalogue"
    STRUCTURE = "structure"


def words(text: str) -> list[str]:
    """Words of a text; where a script writes no spaces, every character counts as half a word, rounded up by pairs."""
    return re.findall(r"[぀-ヿ㐀-鿿豈-﫿]{1,2}|[^\W_](?:[^\W_]|[’'.,-](?=[^\W_]))*", text)


def sentences(text: str) -> list[str]:
    """Sentences, cut after terminal punctuation; abbreviations may be cut too, which only makes the rules stricter."""
    return [
        part.strip()
        for part in re.findall(r".+?(?:[.!?]+(?=\s|$|[\"”’)])|[。！？]+|$)[\"”’)]*", text, re.DOTALL)
        if part.strip()
    ]


def role_of(block: Block, prose: str, following: Block | None, *, shows_code: bool) -> Role:
    """The role of a block. `prose` is its text with markers, code and formulas masked; `following` is the next block.

    `shows_code` tells that code or a formula stands in it: a block without words that shows nothing is no claim.
    """
    if block.kind is BlockKind.CODE:
        return Role.CLAIM if holds_prose(block.text) else Role.CODE
    if block.kind in {BlockKind.RULE, BlockKind.TABLE_HEADER}:
        return Role.STRUCTURE
    text = plain(prose)
    if block.kind is BlockKind.MATHS and not words(text):
        return Role.FORMULA
    if block.kind is BlockKind.HEADING:
        return Role.CLAIM if _is_sentence(text) or _SHARE.search(text) else Role.STRUCTURE
    if not words(text):
        return Role.CLAIM if shows_code else Role.STRUCTURE
    if block.kind is BlockKind.TABLE_ROW:
        return Role.STRUCTURE if _is_empty_row(prose) else Role.CLAIM
    if is_label(prose, following) or (block.kind is BlockKind.PARAGRAPH and is_bare_label(prose, following)):
        return Role.LABEL
    if is_greeting(text):
        return Role.GREETING
    return Role.QUESTION if is_question(text) else Role.CLAIM


def plain(text: str) -> str:
    """The text without emphasis, masks and doubled spaces."""
    return re.sub(r"\s+", " ", re.sub(r"[*_~￼>#|]+", " ", text)).strip()


_SHARE = re.compile(r"\d\s?(?:%|％|‰|percent\b|per cent\b|[x×](?!\w))")
"""A share or a factor in a heading is a finding."""

_CODE_SIGNS = re.compile(r"[={};<>\\]|->|::|\w\(|\A\s*(?:#|//|--|/\*|\*|\"\"\"|')")


def holds_prose(code: str) -> bool:
    """Whether most lines of a code block, but for the last of them, are words of a sentence: prose in disguise."""
    lines = [line.strip() for line in code.splitlines() if line.strip()]
    prose = [line for line in lines if not _CODE_SIGNS.search(line) and len(words(line)) >= 4]
    ends = any(re.search(r"[.!?。！？][\"”’)]*\Z", line) for line in prose)
    return ends and 2 * len(prose) > len(lines)


_STATES = re.compile(
    r"(?<!\w)(?:is|are|was|were|does|did|not|never|cannot|no|outperform(?:s|ed)?|improve[sd]?|reduce[sd]?|increase[sd]|"
    r"decrease[sd]|worsen(?:s|ed)?|harm(?:s|ed)|causes|caused|prevent(?:s|ed)|lowers|lowered|raises|raised|beats|slept|sleeps)"
    r"(?=\s+\w)",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"\A(?:what|how|why|when|who|which|where|whether|here|these|the following|this|below)\b", re.IGNORECASE
)


def _states_something(text: str) -> bool:
    """Whether a label or lead-in holds a verb of the closed list and is no question: `Dropout harms accuracy:`."""
    return _STATES.search(text) is not None and _ASKS.match(text) is None


def is_label(prose: str, following: Block | None) -> bool:
    """A bold line of at most 8 words that is no sentence, or a lead-in of at most 12 words without digits.

    A lead-in ends with a colon, or stands unfinished before a display formula.
    """
    text = plain(prose)
    count = len(words(text))
    if re.search(r"\d", text) or _states_something(text):
        return False
    emphasised = re.fullmatch(r"\s*(?:\*{1,3}|_{1,3})[^*_]+(?:\*{1,3}|_{1,3})[:：]?\s*", prose) is not None
    if emphasised and count <= MAX_LABEL_WORDS and not _is_sentence(text):
        return True
    if count > MAX_LEAD_IN_WORDS or following is None:
        return False
    if text.endswith((":", "：")):
        return True
    return following.kind is BlockKind.MATHS and re.search(r"[.!?。！？]$", text) is None


def is_bare_label(prose: str, following: Block | None) -> bool:
    """A line of at most 4 words without digits, marker and full stop, right before a list or table."""
    if following is None or following.kind not in {BlockKind.LIST_ITEM, BlockKind.TABLE_HEADER}:
        return False
    text = plain(prose)
    short = len(words(text)) <= MAX_BARE_LABEL_WORDS and not _states_something(text)
    return short and re.search(rf"\d|{MASK}|[.!?。！？]\s*$", prose) is None


def _is_empty_row(prose: str) -> bool:
    """Whether a table row says nothing beside its first cell: dashes, blanks, `n/a`."""
    cells = [cell.strip().casefold() for cell in prose.strip(" |>\t").split("|")]
    return (
        len(cells) > 1 and all(not words(cell) or cell in _NOTHING_STATED for cell in cells[1:]) and MASK not in prose
    )


_NOTHING_STATED = frozenset({"n/a", "na", "not reported", "not stated", "unknown", "k. a.", "未报告", "未提及"})


def _is_sentence(text: str) -> bool:
    return re.search(r"[.!?。！？][\"”’)]*$", text) is not None and len(words(text)) >= 5


_GREETING = re.compile(
    r"(?:(?:hello|hi|hey|good (?:morning|afternoon|evening)|greetings|welcome|dear reader|thanks?(?: you)?"
    r"(?: very much| so much)?(?: for (?:your|the) question)?|you(?:’|')?re welcome|you are welcome"
    r"|sure|of course|certainly|goodbye|bye"
    r"|there|again|everyone|here is (?:the|my) answer|(?:i(?:’|')?m )?(?:happy|glad) to help|i hope this helps"
    r"|hallo|guten (?:tag|morgen|abend)|danke(?: schön)?|gern(?: geschehen)?|bitte|bonjour|merci|hola|gracias"
    r"|ciao|grazie|你好|您好|谢谢|不客气|早上好|晚上好|大家好|好的|当然|こんにちは|ありがとうございます|안녕하세요|감사합니다)[\s,.!~，。！、—–-]*)+",
    re.IGNORECASE,
)


def is_greeting(text: str) -> bool:
    """Whether the whole text is made of words of greeting, thanks and consent."""
    return _GREETING.fullmatch(re.sub(r"[^\w\s'’,.!~，。！、—–()-]+", " ", text).strip()) is not None


_OFFER = re.compile(
    r"(?:please\s+)?(?:let me know (?:if|whether)|feel free to ask|if you (?:want"
    r"|wish|like|would like|need)\b[^.!?]*,?\s+i can"
    r"|i can also (?:look|search|check|read)|just ask)\b|(?:如果|如)您?.*(?:告诉我|我可以)",
    re.IGNORECASE,
)


def is_offer(text: str) -> bool:
    """Whether a sentence offers further help; like a question back it holds no number and stays short."""
    short = len(words(text)) <= MAX_OFFER_WORDS
    return short and _OFFER.match(text) is not None and re.search(r"\d", text) is None


_ADDRESS = re.compile(
    r"\b(?:you|your|i|me|we|us|sie|ihnen|ihre|du|ich|wir|vous|votre|je|tu|usted|tú|yo)\b|[您你我]|吗|ですか|ますか|나요|까요",
    re.IGNORECASE,
)


_DISGUISED = re.compile(
    r"\b(?:did|do) you (?:know|realise|realize|notice|see) that\b|\b(?:are|were) you aware that\b"
    r"|\bwuss?ten sie\b.*\bdass\b|[你您]知道",
    re.IGNORECASE,
)


def is_question(text: str) -> bool:
    """Whether every sentence but greetings and offers asks, and the text speaks to the person and holds no number.

    A question that states something on the way (`Did you know that 90% ...?`) is a claim in disguise.
    """
    asked = [sentence for sentence in sentences(text) if not is_greeting(sentence) and not is_offer(sentence)]
    if not asked:
        return True
    return (
        len(text) <= MAX_QUESTION_CHARACTERS
        and all(re.search(r"[?？][\"”’)]*$", sentence) for sentence in asked)
        and _DISGUISED.search(text) is None
        and _ADDRESS.search(text) is not None
        and re.search(r"\d", text) is None
    )


_NOTHING_FOUND = re.compile(
    r"\b(?:no|none|nothing|not|neither|without|cannot|could ?n[o’']t|couldn[’']t"
    r"|does ?n[o’']t|doesn[’']t|do ?n[o’']t|don[’']t|did ?n[o’']t|didn[’']t|kein\w*|nicht|nichts)\b"
    r"|[未没無无不]",
    re.IGNORECASE,
)
_SEARCHED = re.compile(
    r"\b(?:papers?|library|librar(?:y|ies)|evidence|passages?|sources?|documents?"
    r"|texts?|spans?|scope|searche?s?|artikeln?|bibliothek|quellen?|textstellen?|belege?)\b"
    r"|论文|文献|资料|证据|段落|来源|文库",
    re.IGNORECASE,
)
_FINDING = re.compile(
    r"\b(?:found?|find|locate[ds]?|stat(?:e|es|ed)|say|says|said|mention(?:s|ed)?"
    r"|cover(?:s|ed)?|address(?:es|ed)?|report(?:s|ed)?|contain(?:s|ed)?|discuss(?:es|ed)?|available|answer(?:s|ed)?"
    r"|enthalten|enthält|gefunden|erwähn\w+|nennen|nennt)\b|找到|提到|说明|报告|包含|涉及|给出|回答",
    re.IGNORECASE,
)
_TURN = re.compile(
    r"\b(?:but|however|although|though|instead|whereas|while|only|because|since|aber"
    r"|sondern|jedoch|obwohl|nur|weil)\b|[;；]|但|而|只|因为",
    re.IGNORECASE,
)


def is_gap(text: str) -> bool:
    """Whether the text states only that the papers read do not hold something; no span can be cited for that.

    Each of at most two sentences says that nothing was found, names papers or evidence, and holds no number, no
    quotation and no turn such as `but`.
    """
    stated = sentences(text)
    return len(stated) <= MAX_GAP_SENTENCES and all(
        _NOTHING_FOUND.search(sentence)
        and _SEARCHED.search(sentence)
        and _FINDING.search(sentence)
        and not _TURN.search(sentence)
        and not re.search(r"[\d\"“”„«»「」]", sentence)
        for sentence in stated
    )


_CARRIES_ON = re.compile(
    r"(?:so|thus|hence|therefore|that is|where|i\.e\.|which (?:gives|means)|somit|dabei|wobei)\b"
    r"|所以|因此|其中|即|于是|ここで|ただし",
    re.IGNORECASE,
)


def carries_on_a_formula(text: str) -> bool:
    """Whether a text goes on with the formula above it (`where x is ...`, `so ...`): one sentence, at most 20 words."""
    short = len(words(text)) <= MAX_FORMULA_NOTE_WORDS
    return short and _CARRIES_ON.match(text) is not None and len(sentences(text)) == 1
