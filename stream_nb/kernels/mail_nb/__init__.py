"""Rows of counters -> the scores of `MailNB` -> what a label adds.

score.py             rows of counters -> scores, with terms.py (the terms of each feature)
novelty.py           what the new features of a mail say about its class
stretch.py           the stretch of a mail that speaks most for a class
class_balance.py     corrections for classes with few labels
calibration.py       margins of past labels -> probabilities
update.py            scores -> what a label adds
label_trust.py       how far a label is believed, with originator_trust.py (by other labels of the same list or sender)
wrong_labels.py      how many labels of mails with a positive score are right
starter.py           counts of a model and of its starter -> scores
message.py           all of this for one message in one call, with batch.py (for many messages)
"""
