"""Grammar of wanted mail: colleagues, family, clubs, mailing lists, shops that the recipient bought from."""

from __future__ import annotations

from .grammar import Grammar

COMMON: Grammar = {
    "day": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(),
    "month": "January February March April May June July August September October November December".split(),
    "person": (
        "Anna Bruno Carla Dieter Elif Farid Greta Hugo Ines Jonas Karin Lars Mira Nils Olga Pavel Quentin Rosa Stefan"
        " Tilda Ugo Vera Walter Xenia Yusuf Zoe"
    ).split(),
    "town": "Lisbon Graz Leeds Turin Ghent Malmo Porto Brno Basel Cork Lyon Aarhus Split Trieste Bergen".split(),
    "greeting": ["Hi {person},", "Hello {person},", "Dear {person},", "{person},", "Good morning,", "Hi all,", ""],
    "bye": ["Best, {person}", "Cheers\n{person}", "Thanks, {person}", "Kind regards\n{person} {Word}", "{person}"],
    "soon": ["tomorrow", "on {day}", "next week", "before {month}", "at {hour}", "by the end of {month}", "tonight"],
    "aside": [
        "I will be in {town} until {day}.",
        "Sorry for the late answer, {month} was busy.",
        "Let me know if {day} suits you better.",
        "{person} asked about this as well.",
        "No hurry with it.",
        "I have copied {person} so that nobody is left out.",
        "Call me {soon} if anything is unclear.",
        "We talked about it at lunch with {person}.",
        "The old number still works, extension {number}.",
        "It took longer than I thought, about {digit} hours.",
    ],
}

TOPICS: dict[str, Grammar] = {
    "project": {
        "subject": ["{thing} for the {Word} project", "Re: {thing}", "minutes of {day}", "{Word}: {thing} {soon}"],
        "thing": "schedule budget draft review estimate agenda milestone prototype report contract".split(),
        "line": [
            "the {thing} for {Word} is ready, please read it {soon}.",
            "We agreed that {person} takes the {thing} and I finish the {thing}.",
            "The customer in {town} wants the {thing} {soon}.",
            "Can we move the meeting to {day} {hour}? The room on floor {digit} is free.",
            "I changed section {digit} of the {thing}, the figures there were from last {month}.",
            "Our estimate was {number} days; {person} thinks {number} is nearer.",
            "There is one open question about the {thing}: who signs it?",
            "I put the {thing} on the shared drive under {word}.",
        ],
    },
    "code": {
        "subject": ["[{word}-dev] {verb} the {part}", "Re: {part} fails on {system}", "patch: {verb} {part}"],
        "verb": "rewrite remove document test simplify split cache lock rename".split(),
        "part": "parser scheduler allocator resolver index loader compiler socket buffer test".split(),
        "system": ["Debian", "FreeBSD", "arm64", "an old kernel", "the build server"],
        "line": [
            "the {part} returns {number} where it should return {digit}, see commit {code}.",
            "> why do we {verb} the {part} twice?\nBecause the {part} may be empty on {system}.",
            "I ran the suite on {system}: {number} passed, {digit} failed, all in the {part}.",
            "My proposal is to {verb} the {part} first and look at the {part} after the release.",
            "Attached is a patch against {code}; it does not touch the {part}.",
            "+1 from me, but please {verb} the error message.",
            "The trace ends in {word}_{word}(), line {big}.",
            "With the cache off it takes {number} ms, so the {part} is not the problem.",
        ],
        "list": ["{word}-dev"],
    },
    "family": {
        "subject": ["{day} dinner", "photos from {town}", "Re: grandma's birthday", "the garden", "weekend in {town}?"],
        "food": "soup lasagne pancakes plum cake salad dumplings risotto stew".split(),
        "line": [
            "shall we come over {soon}? I would make {food}.",
            "The children liked {town} very much, above all the boat.",
            "Grandma turns {number} and wants no presents, only {food}.",
            "The tomatoes are ripe and the neighbours' cat sleeps in the shed again.",
            "I found the photos of {month}, you look so young on the beach!",
            "Uncle {person} has a new bicycle and talks of nothing else.",
            "Please bring the big pot and the folding chairs.",
            "The doctor says the knee is fine and he may walk again {soon}.",
        ],
    },
    "club": {
        "subject": ["training {soon}", "choir: {day} {hour}", "{town} tournament", "Re: who can drive?"],
        "line": [
            "training is moved to {day} {hour}, the hall is being painted.",
            "We need {digit} more drivers for the match in {town}.",
            "Please pay the yearly fee of {number} euros to the usual account of the club.",
            "The altos practise with {person} from {hour}, tenors join later.",
            "Second place in {town}! Photos are on the notice board.",
            "Bring your own racket and shoes with light soles.",
            "Whoever has the key of the boat house, please tell {person}.",
        ],
    },
    "shop": {
        "subject": ["Your order {big}", "Your {Word} receipt", "Delivery {soon}", "Invoice {big} from {Word}"],
        "goods": ["bicycle lamp", "coffee filters", "wool socks", "printer paper", "paperback", "desk lamp", "seeds"],
        "line": [
            "thank you for your order {big}.",
            "1 x {goods}, {price} EUR, in stock.",
            "{digit} x {goods}, {price} EUR, follows {soon}.",
            "The parcel leaves our store in {town} {soon}.",
            "You paid {price} EUR by card; the invoice is attached.",
            "You may return goods within {number} days.",
            "Questions about order {big}? Just answer this mail.",
        ],
        "html": ["yes"],
    },
    "news": {
        "subject": ["{Word} weekly, no. {number}", "What happened in {month}", "{town} letter", "The {Word} digest"],
        "field": "astronomy gardening railways chess cycling architecture cooking history".split(),
        "line": [
            "this week in {field}: {person} {Word} on {town} and its old station.",
            "A reader from {town} asks how {field} came to be so popular.",
            "Our calendar for {month}: lectures {day} {hour}, museum open until {hour}.",
            "Book of the month: a short history of {field}, {number} pages.",
            "Interview with {person} {Word}, who restored {number} maps by hand.",
            "You get this letter because you subscribed on our site; change your choice there.",
        ],
        "html": ["yes"],
        "list": ["{word}-news"],
    },
    "travel": {
        "subject": ["train to {town}", "booking {code}", "hotel in {town}", "Re: flights {month}"],
        "line": [
            "your train to {town} leaves {day} {hour} from platform {digit}.",
            "Booking {code}, seat {number}, coach {digit}.",
            "The hotel near the station costs {number} euros with breakfast.",
            "{person} lands at {hour} and takes the bus into {town}.",
            "Do you still have the map of {town}? We want to walk to the castle.",
            "The ferry does not run in {month}.",
        ],
    },
    "server": {
        "subject": ["[{word}] disk {number}% full", "backup of {word} finished", "cron: {word}", "RECOVERED: {word}"],
        "line": [
            "host {word} reports disk usage {number} percent on /var.",
            "backup finished at {hour}, {big} files, {number} skipped.",
            "check {word} was CRITICAL for {digit} minutes and is OK again.",
            "load average {digit}.{number}, memory {number} percent.",
            "certificate of {word} expires in {number} days.",
            "job {code} exited with status {digit}",
        ],
    },
    "offers": {
        "subject": ["{number}% off {goods} {soon}", "Our {month} offers", "Free shipping {soon}", "{goods} sale"],
        "goods": ["garden chairs", "tea", "running shoes", "jazz records", "kitchen knives", "children's books"],
        "line": [
            "save {number}% on {goods} {soon}, in our shops and online!",
            "Free shipping for orders over {number} euros, this offer ends {soon}.",
            "Members get a discount of {digit} euros, no code needed.",
            "Click here to see all {goods} from {price}.",
            "Only {number} left: {goods}, the lowest price of the year.",
            "You receive this letter as a customer; unsubscribe at any time.",
        ],
        "html": ["yes"],
    },
    "account": {
        "subject": ["Your statement for {month}", "New login from {town}", "Your card ending in {number}", "Notice"],
        "line": [
            "your account statement for {month} is ready in online banking.",
            "We noticed a new login from {town} at {hour}; if that was you, do nothing.",
            "Your new card is on its way, the PIN follows in a second letter.",
            "We never ask for your password or card number by mail.",
            "The standing order of {price} EUR was paid on {day}.",
            "Your loan was paid back by {number} percent, the rate stays at {digit}.{number} percent.",
        ],
        "html": ["yes"],
    },
    "health": {
        "subject": ["Appointment {day} {hour}", "Your prescription", "Results are here", "Re: appointment {soon}"],
        "line": [
            "your appointment with Dr. {Word} is {day} at {hour}.",
            "The prescription is ready, the pharmacy is open until {hour}.",
            "Please bring your insurance card and the list of your medicines.",
            "The results are fine; take one pill less from {day} on.",
            "We are closed in {month}, in urgent cases call {person} {Word}.",
        ],
    },
    "abroad": {
        "subject": ["Grüße aus {town}", "Déjeuner {soon}", "Reunión del {day}", "Schöne Fotos", "Café à {hour}"],
        "line": [
            "wir sind gut in {town} angekommen, das Wetter ist schön und die Brötchen sind frisch.",
            "Könntest du bitte {person} die Schlüssel geben? Wir kommen später zurück.",
            "Le train arrive à {hour}, après ça nous irons dîner près du marché.",
            "J'ai réservé la salle pour {number} élèves, {person} apporte les crêpes.",
            "La reunión será el {day} a las {hour}, mañana envío el acta.",
            "Los niños están en el jardín de la abuela en {town}.",
            "Müssen wir für die Prüfung wirklich {number} Übungen abgeben?",
        ],
    },
}
