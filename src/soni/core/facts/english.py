"""English: words that state something, and words that a sentence may begin with."""
# ruff: noqa: SIM905 - a list of words reads best as words

from typing import Final

NUMBERS: Final = frozenset(
    """
    zero two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
    sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety
    hundred hundreds thousand thousands million millions billion billions dozen dozens couple
    second third fourth fifth sixth seventh eighth ninth tenth twice thrice double triple half
    quarter single
    """.split()
)
ONES: Final = frozenset({"one"})
# After these a one is somebody or something: "this one", "no one".
POINTING: Final = frozenset(
    "this that the which what each every any another no some either neither other".split()
)

TIMES: Final = frozenset(
    """
    january february april june july august september october november december
    monday tuesday wednesday thursday friday saturday sunday weekday weekdays weekend weekends
    mondays tuesdays wednesdays thursdays fridays saturdays sundays
    today tomorrow yesterday tonight noon midnight midday morning afternoon evening night nights
    am pm daily weekly monthly yearly hourly
    """.split()
)

UNITS: Final = frozenset(
    """
    seconds minute minutes hour hours day days week weeks month months year years
    percent cent cents euro euros dollar dollars pound pounds franc francs peso pesos yen rupees
    usd eur gbp chf jpy
    kg kilo kilos kilogram kilograms gram grams lb lbs ounce ounces ton tons tonne tonnes
    km kilometre kilometres kilometer kilometers metre metres meter meters mile miles cm mm inch
    inches feet foot litre litres liter liters ml degree degrees
    """.split()
)

LIMITS: Final = frozenset(
    """
    only least most maximum minimum max min under over below above before after until till within
    between free always every per extra additional must required optional mandatory allowed
    permitted forbidden prohibited except excluding including included several
    """.split()
)

OUTCOMES: Final = frozenset(
    """
    confirmed cancelled canceled booked reserved failed succeeded refused rejected accepted approved
    declined denied paid unpaid refunded charged sent received delivered returned changed saved
    deleted removed added closed open opened blocked unblocked locked unlocked enabled disabled
    available unavailable valid invalid expired lost found stolen late early possible impossible
    """.split()
)

NEGATIONS: Final = frozenset(
    """
    no not never none nothing nobody nowhere neither nor without unless cannot unable non hardly
    barely rarely seldom
    """.split()
)

# A clause with one of them says something of somebody.
AUXILIARIES: Final = frozenset(
    """
    am is are was were be been being can could may might must shall should will would do does did
    has have had
    """.split()
)

# Words that say nothing by themselves.
FILLERS: Final = frozenset(
    """
    a an the this that these those my your our their his her its i you we they he she it me us them
    him who whom which what how where there here to of in on at by for from with up as about into
    onto than then too also just very really quite please sorry thanks thank yes yeah yep ok okay
    well oh ah hello hi unfortunately sadly now still yet already
    """.split()
)

# Between two clauses, or what may be two.
JOINTS: Final = frozenset("and or nor if when because unless since so without".split())
TURNS: Final = frozenset("but however while whereas although though".split())

OPENERS: Final = frozenset(
    """
    a about above absolutely according actually add adding additionally after afterwards again
    ahead all almost already alright also although always amazing amount an and another answer
    answering any anyone anything anyway apologies appreciate appreciated are arrival as ask asking
    at available awesome back balance because been before begin being below best better between
    book booking both brilliant but by bye call calling can can't cancel certainly change changes
    changing check checking choose choosing clear clearly come coming complete confirm
    congratulations consider contact continue cool correct could couldn't cost currently customers
    date dates dear definitely delighted delivery departure details did didn't do does doesn't don't
    done during each easy either else email enjoy enter entering even every everyone everything
    exactly excellent excuse fantastic fees feel few find finally fine finish first following for
    fortunately from full further generally get getting give given giving glad gladly go going good
    goodbye got great greetings guests had happily happy has hasn't have haven't having he hello
    help helping her here here's hey hi his hmm hold hope hopefully how how's however hurray i i'd
    i'll i'm i've if in indeed information instead into is isn't it it'll it's its just keep kindly
    know last later least leave less let let's like likewise listen long look looking looks
    luckily made make making many may maybe me meanwhile meals members might mine minutes more
    moreover most much must my name need needed never new next nice no none not note noted nothing
    now number of off often oh ok okay on once one only oops open opening or order orders other
    others otherwise our ours out over parcels passengers pay paying payment payments people perfect
    perhaps pick picking please pleased pleasure possibly prices probably provide really received
    regarding regrettably remember reply returning right sadly save say saying second see select
    selecting send sending sent several shall share she should shouldn't show showing simply since
    so some someone something soon sorry specify splendid start starting still such super sure take
    taking talk tell thank thanks that that's the their them then there there's therefore these they
    they're things third this those though to today together tomorrow tonight too total try trying
    two type typing under understood unfortunately unless until up use using usually wait want was
    we we'd we'll we're we've welcome well were what what's whatever when when's whenever where
    where's whether which while who who's whom whose why will with within without wonderful won't
    would wouldn't write writing yeah yep yes yesterday you you'd you'll you're you've your yours
    """.split()
)
