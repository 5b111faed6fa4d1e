"""A message -> keyed features -> their counters.

extractor.py    text, mail, tokens or counts -> distinct keyed features
token_counts.py tokens and counted tokens -> one text, counts in 1/256
hash_key.py     secret key -> the constants of the hash
count_table.py  keyed feature -> its counters
canonical.py    the counters in an order of their own, for snapshots
count_changes.py what messages change in it, for other tables
class_counts.py counters and totals by class
view.py         the same, for others to read
model.py        what all models over words share
"""
