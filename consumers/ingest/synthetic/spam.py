"""Grammar of unwanted mail, and of the campaign that begins half-way and uses a colleague's words."""

from __future__ import annotations

from .grammar import Grammar

COMMON: Grammar = {
    "person": "Winner Friend Customer Member Sir Madam Beneficiary Client".split(),
    "greeting": ["Dear {person},", "Hello {person}!!!", "ATTENTION {person}", "Hi,", ""],
    "bye": ["The {Word} Team", "Yours faithfully,\nMr. {Word} {Word}", "{Word} Inc. - unsubscribe here", ""],
    "now": ["NOW", "today", "within 24 hours", "right away", "before midnight", "while it lasts"],
    "click": ["Click here", "CLICK HERE", "Order {now}", "Visit us {now}", "Claim it", "Open the link"],
    "aside": [
        "100% guaranteed, no questions asked!",
        "This offer ends {now}.",
        "You were selected from {big} addresses.",
        "No credit check, no obligation.",
        "Satisfaction or your money back!!",
        "Thousands of {person}s cannot be wrong.",
        "This is not spam, you opted in through a partner.",
        "Act {now}, only {number} left.",
    ],
}

TOPICS: dict[str, Grammar] = {
    "pills": {
        "subject": ["Cheap {drug} online", "{drug} {number}% off", "V.I.P. {drug} store", "re: your {drug} refill"],
        "drug": ["Vigramax", "Cialex", "meds", "slimming pills", "Xanolin", "Soma-{Word}", "herbal remedy"],
        "line": [
            "buy {drug} without prescription, shipped {now} in plain packing.",
            "{drug} from ${price} per dose, the lowest price on the net!",
            "Doctors hate this: {drug} works in {digit} minutes.",
            "Lose {number} pounds in {digit} weeks with {drug}, no diet, no sport.",
            "Bigger, stronger, longer: she will notice.",
            "FDA approved pharmacy, discreet worldwide delivery.",
        ],
    },
    "loan": {
        "subject": ["Your loan is approved", "Refinance at {digit}.{number}%", "Cash {now}", "Debt free!"],
        "line": [
            "you are pre-approved for ${big} at {digit}.{number} percent!",
            "Bad credit, no credit, bankruptcy? We do not care.",
            "Consolidate your debt and save ${number}0 every month.",
            "Mortgage rates have never been lower, lock yours {now}.",
            "Fill in the {digit} minute form and get cash {now}.",
        ],
    },
    "casino": {
        "subject": ["${big} welcome bonus", "You have {number} free spins", "{Word} Casino pays {now}", "JACKPOT"],
        "line": [
            "join {Word} Casino and get {number} free spins, no deposit!",
            "Our players won ${big} last night, be next!",
            "Blackjack, roulette, slots: {number}% payout.",
            "Double your first deposit up to ${big}.",
            "Your lucky code is {code}, valid {now}.",
        ],
    },
    "fortune": {
        "subject": ["URGENT BUSINESS PROPOSAL", "Inheritance of {big}", "FROM BARRISTER {Word}", "Compensation"],
        "line": [
            "I am Barrister {Word}, attorney to the late Engineer {Word} who left ${big},000 in a bank of {Word}.",
            "I seek your assistance to transfer this fund out of my country, {number}% shall be yours.",
            "This transaction is risk free and requires utmost confidentiality.",
            "Kindly send your full name, telephone and bank details {now}.",
            "God bless you as you reply, I am a widow with a terminal illness.",
            "You won the {Word} international lottery, ticket {big}.",
        ],
    },
    "watches": {
        "subject": ["Replica watches {number}% off", "Luxury for less", "Rolexa {Word} ${price}", "Designer bags"],
        "line": [
            "exact replica of Rolexa, Omeganta and Cartierra from ${price}.",
            "Designer handbags and shoes, nobody sees the difference.",
            "Swiss movement, sapphire glass, weight like the original.",
            "Order two watches and get {number}% discount {now}.",
            "Free shipping worldwide, wholesale prices.",
        ],
    },
    "bank": {
        "subject": ["Your account is suspended", "Verify your {Word} account", "Security alert {code}"],
        "line": [
            "we noticed unusual activity in your {Word} Bank account and suspended it.",
            "Verify your password and card number {now} to restore access.",
            "Failure to confirm leads to permanent closure of your account.",
            "For your security do not answer this mail but use the secure link.",
            "Your PayFriend balance of ${price} is on hold, case {code}.",
        ],
    },
    "clicks": {
        "subject": ["Rank #1 on search engines", "{big} leads for ${price}", "Work from home", "Make ${big} a week"],
        "line": [
            "we submit your website to {big} search engines for ${price}.",
            "{big} fresh email addresses on CD, targeted, bulk friendly hosting.",
            "Earn ${big} a week from home, no experience needed!",
            "My secret system runs on autopilot, I quit my job in {digit} days.",
            "Be your own boss, multi level income, financial freedom.",
            "Дешёвая рассылка по базе, {big} адресов, скидка {number}%.",
        ],
    },
    "private": {
        "subject": ["hi again", "Re: your photo", "lonely in {Word}", "do you remember me?", "Re: dinner"],
        "line": [
            "I saw your photo and liked it very much, shall we meet {now}?",
            "My name is {Word}, I am {number} and new in your town.",
            "I am looking for an honest man, write me to my private address.",
            "My webcam is on {now}, see me there.",
            "Do you remember me from the summer? I still think of you.",
        ],
    },
    "jobs": {
        "subject": ["Position {code}", "Your application", "Part time work, ${big}", "We found your resume"],
        "line": [
            "we read your resume and offer you the position of payment manager.",
            "You work {digit} hours a week and keep {number}% of each transfer.",
            "No experience needed, training is on us.",
            "Answer with your full name, address and telephone to start {now}.",
            "Our company grows fast in your country, contract {code} is ready.",
        ],
    },
    "software": {
        "subject": ["OEM software ${price}", "Your copy of {Word} Office", "Download {now}", "Licence {code} expired"],
        "line": [
            "all programs you need from ${price}, download {now}.",
            "{Word} Office professional, full version, retail ${big}, our price ${price}.",
            "Your virus protection expired, renew licence {code} {now}.",
            "Your computer is infected with {number} viruses!",
            "No box, no manual, just the original serial number.",
        ],
    },
}

WAVES: tuple[Grammar, ...] = (
    {
        "subject": ["Re: invoice {big}", "Fwd: invoice {month}", "invoice {big}, corrected"],
        "hook": [
            "the corrected invoice {big} waits for you in the portal, kindly approve it {soon}.",
            "Our supplier in {town} moved to a new bank, check the invoice and release the transfer.",
        ],
    },
    {
        "subject": ["{person} left a voice message", "Missed call from {number}{big}", "Re: call {day}"],
        "hook": [
            "a voice message of {number} seconds from {person} is in your secure mailbox, listen to it {soon}.",
            "You missed {digit} calls from {town}, the recording is kept until {day}.",
        ],
    },
    {
        "subject": ["payroll {month}", "Re: your timesheet", "salary statement {month}"],
        "hook": [
            "payroll could not match your timesheet, sign in to the staff page with your mail password.",
            "Your salary statement for {month} shows a difference of {price} EUR, confirm your details.",
        ],
    },
    {
        "subject": ["are you at your desk?", "Quick favour", "Re: {day}"],
        "hook": [
            "I am in a meeting in {town} and can not talk, could you get {digit} gift vouchers for {person}?",
            "Send me the codes of the vouchers as soon as you have them, I pay you back {soon}.",
        ],
    },
    {
        "subject": ["mailbox {number}% full", "Ticket {big}: mail upgrade", "IT notice for {day}"],
        "hook": [
            "your mailbox is {number}% full, validate it {soon} or incoming mail bounces.",
            "The help desk moves all mailboxes to a new cluster on {day}, keep yours by logging on here.",
        ],
    },
    {
        "subject": ["contract for signature", "{person} shared a document", "Re: agreement {town}"],
        "hook": [
            "{person} shared an agreement with you in the document centre, view and sign it {soon}.",
            "Signature pending: contract {code}, {digit} pages, reviewed by {person} in {town}.",
        ],
    },
    {
        "subject": ["parcel {big} held", "Customs fee {price}", "Re: delivery {day}"],
        "hook": [
            "parcel {big} is held in {town}, settle the customs fee of {price} EUR {soon}.",
            "The courier found nobody at home on {day}, choose a new delivery slot and confirm your address.",
        ],
    },
    {
        "subject": ["tax refund {month}", "Notice {code} of the revenue office", "Re: refund"],
        "hook": [
            "the revenue office owes you a refund of {price} EUR for {month}, state your card to receive it.",
            "Refund {code} expires on {day} unless you complete the form.",
        ],
    },
)
"""The waves of the campaign. Their other slots are filled from wanted mail, so that they use a colleague's words."""
