"""Parts of reading a mail.

headers.py           the header fields of a mail
disguises.py         spaced-out letters, and invisible characters
text_difference.py   the words that only one of two texts has
"""
