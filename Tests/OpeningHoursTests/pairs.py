# SPDX-License-Identifier: Apache-2.0
"""Pairs of opening hours and a time, with the state that opening-hours-py gives: `pairs.py SEED COUNT > pairs.tsv`.

`pairs.py SEED COUNT VALUES` takes the hours from a file instead, one on each line, COUNT times for each that it can read.
Without three forms that opening-hours-py reads otherwise than the specification and opening_hours.js do: `PH Su` (it
takes either), `||` (it falls back by the day) and a comment without a state (it takes it for open).

Needs `pip install opening-hours-py==2.1.4`. AgreementTests reads the file that WAYMARK_HOURS_PAIRS names.
"""
import random
import sys
from datetime import datetime

import opening_hours

random.seed(int(sys.argv[1]))
chance, pick, whole = random.random, random.choice, random.randint
days = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"]
months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
nights = ["18:00-02:00", "22:00-06:00", "20:00-26:00", "17:30-25:30", "10:00-24:00", "00:00-24:00", "12:00-00:00"]
suns = ["sunrise-sunset", "dawn-dusk", "08:00-sunset", "sunrise-21:00", "(sunrise+01:00)-(sunset-00:30)"]
feasts = ["easter", "easter -2 days", "easter +1 day", "easter +39 days"]
nths = ["Oct Su[-1]-Mar Su[-1]", "Mar Su[-1]-Oct Su[-1]", "May Su[2]", "Nov Th[4]"]
years = ["2026", "2025-2026", "2026+", "2026 Dec 24-2027 Jan 06", "2026 Jul 01-2026 Aug 15", "week 1-20",
         "week 10-50/2", "week 1,5,9", "2024-2030/2"]


def span():
    number = chance()
    if number < .06:
        return pick(nights)
    if number < .1:
        return pick(suns)
    first = whole(5, 20)
    return f"{first:02}:{pick([0, 0, 30]):02}-{whole(first + 1, 23):02}:{pick([0, 0, 30, 45]):02}"


def spans():
    if chance() > .3:
        return span()
    first = whole(6, 10)
    return f"{first:02}:00-{first + 3:02}:30,{first + 5:02}:00-{first + 9:02}:00"


def weekdays():
    number = chance()
    if number < .5:
        first, last = pick(days), pick(days)
        return f"{first}-{last}" if first != last else first
    if number < .75:
        return ",".join(random.sample(days, whole(1, 3)))
    if number < .85:
        return f"{pick(days)}[{pick(['1', '2', '-1', '1,3', '1-2', '4', '5', '-2'])}]"
    return "Mo-Fr"


def dates():
    number = chance()
    if number < .4:
        first, last = pick(months), pick(months)
        return f"{first}-{last}" if first != last else first
    if number < .55:
        return f"{pick(months)} {whole(1, 28):02}"
    if number < .7:
        first = whole(1, 20)
        return f"{pick(months)} {first:02}-{first + whole(1, 8):02}"
    if number < .85:
        return f"{pick(months)} {whole(1, 28):02}-{pick(months)} {whole(1, 28):02}"
    return pick(feasts if number < .9 else nths if number < .95 else years)


def rule(is_first):
    parts = [dates()] if chance() < .2 else []
    if chance() < .85 or not parts:
        parts.append(weekdays())
    if chance() < .04:
        parts = ["PH"]
    parts.append(pick(["off", "closed"]) if chance() < .15 and not is_first else spans())
    if chance() < .03:
        parts.append(pick(["open", "unknown", 'open "x"']))
    return " ".join(parts)


def value():
    if chance() < .03:
        return pick(["24/7", "24/7; Dec 25 off", "24/7; Mo 10:00-12:00 off"])
    text = rule(True)
    for _ in range(pick([0, 0, 1, 1, 1, 2, 2, 3])):
        text += pick(["; ", "; ", "; ", ", "]) + rule(False)
    return text


count = int(sys.argv[2])
given = [line.strip() for line in open(sys.argv[3]) if line.strip()] * count if len(sys.argv) > 3 else None
while given if given is not None else count > 0:
    text = given.pop() if given is not None else value()
    try:
        hours = opening_hours.OpeningHours(text)
    except Exception:
        continue
    at = datetime(pick([2025, 2026, 2026, 2027]), whole(1, 12), whole(1, 28), whole(0, 23), pick([0, 29, 30, 59]))
    state = hours.state(at)
    state = state[0] if isinstance(state, tuple) else state
    print(text, f"{at:%Y %m %d %H %M}", str(state).split(".")[-1].lower(), sep="\t")
    count -= 1
