"""Words that carry no meaning for a search; short on purpose, because a method's name may be any other word."""

from __future__ import annotations

STOP_WORDS = frozenset(
    """
    a about al also an and are as at be been being but by can cant could did do does doesnt doing dont eg et etc for
    from had has have having he her hers him his how ie if in into is isnt it its may me might my nor not of on or our
    ours shall she should so some such than that the their theirs them then there these they this those thus to us very
    was we were what when where whether which while who whom whose why will with would you your yours
    """.split()  # noqa: SIM905 - a block of words is read more easily than a list of sixty strings
)
