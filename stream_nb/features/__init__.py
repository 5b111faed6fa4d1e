"""A message -> keyed features -> their counters.

extractor.py    text, mail, tokens or counts -> distinct keyed features
hash_key.py     secret key -> the constants of the hash
count_table.py  keyed feature -> one counter per column
"""
