"""A message -> keyed features -> their counters.

| file | what |
|---|---|
| `extractor.py` | text, mail, tokens or counts -> distinct keyed features |
| `token_counts.py` | tokens and counted tokens -> one text, and counts in units of 1/256 |
| `hash_key.py` | secret key -> the multipliers of the hash |
| `count_table.py` | keyed feature -> its counters |
| `canonical.py` | the contents of a table in a fixed order, for snapshots |
| `count_changes.py` | what messages change in a table, encoded for other tables |
| `eviction.py` | which features a full table forgets |
| `decay.py` | halving the counters, one part of the features at a time |
| `class_counts.py` | counters and totals by class |
| `view.py` | a read-only view of these |
| `model.py` | the base of all models over words |
"""
