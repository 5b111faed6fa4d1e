"""Bytes of a message -> keyed features -> rows of counters.

tokenize.py      bytes of a message -> distinct keyed features
grams.py         bytes of a message -> its character n-grams, with gram_layout.py
table.py         keyed feature -> row of counters: find, insert, add
changes.py       what many updates change in a table, encoded; changes_reader.py adds it to another table
"""
