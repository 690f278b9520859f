"""Closed lists of English words that decide how a statement points; see `polarity`."""

from __future__ import annotations

_DIRECTION_LINES = """
change + increase increases increased increasing rise rises rose risen rising grow grows grew grown growing
change + growth climb climbs climbed climbing
change - decrease decreases decreased decreasing decline declines declined declining drop drops dropped
change - dropping fall falls fell fallen falling shrink shrinks shrank shrunk shrinking diminish diminishes
change - diminished reduce reduces reduced reducing reduction
quality + improve improves improved improving improvement improvements enhance enhances enhanced
quality - degrade degrades degraded degrading degradation worsen worsens worsened deteriorate deteriorates
quality - deteriorated impair impairs impaired harm harms harmed
amount + more
amount - less fewer
size + higher greater larger bigger
size - lower smaller
extreme + highest greatest largest biggest
extreme - lowest smallest
speed + faster quicker
speed - slower
merit + better
merit - worse
top + best
top - worst
length + longer
length - shorter
time + earlier
time - later
force + stronger
force - weaker
side + above
side - below
contest + outperform outperforms outperformed exceed exceeds exceeded surpass surpasses surpassed
contest - underperform underperforms underperformed
sign + positive positively
sign - negative negatively
power + strengthen strengthens strengthened
power - weaken weakens weakened
ease + easier
ease - harder
pace + accelerate accelerates accelerated speeds
pace - slows slowed decelerates
"""

DIRECTION_OF = {
    word: (line.split()[0], 1 if line.split()[1] == "+" else -1)
    for line in _DIRECTION_LINES.strip().splitlines()
    for word in line.split()[2:]
}
"""Family and sign of each word that points somewhere."""

_CONDITION_WORDS = """
    only except when if unless until before after without despite although though however rather instead unlike
    may might could would should can must whether expected expect hypothesize hypothesized hypothesis assume
    assumed assumes claim claimed believed believe supposed suggest suggests suggested contrary previously
    initially sometimes often usually rarely seldom hardly barely almost nearly always some all every each any
    most many few several both either neither nor yet still anymore longer-no lack lacks lacked fail-noun prior
    even otherwise else seem seems seemed appear appears appeared likely unlikely possibly perhaps probably
    partly partially slightly significantly substantially much too enough necessarily exactly first second third
    than-no question asked asks wonder doubt deny denied denies false true wrong reject rejected refute refuted
    contradict myth incorrect incorrectly mistaken
"""
CONDITIONS = frozenset(_CONDITION_WORDS.split())
"""Words that let two statements be true together: conditions, shares, hedges, orders of things."""

_STOP_WORDS = """
    a an the of to in on at by for from with as and or that this these those it its their his her our we they he
    she i you is are was were be been being am do does did done has have had having will shall there here which
    who whom whose what into onto over under also then thus so such very same our ours theirs them us own while
    whereas but paper papers author authors study studies report reports reported show shows showed shown find
    finds found state states stated according reportedly indeed et al results result observe observes observed
    note notes noted conclude concludes concluded
"""
STOP = frozenset(_STOP_WORDS.split())
"""Words without a meaning of their own, and those by which a paper reports."""
