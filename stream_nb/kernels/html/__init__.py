"""HTML -> visible text and hidden text.

split.py         the whole document, with text.py (text between markup)
sheets.py        the rules of its style sheets, which are read first
characters.py    classes of bytes, character references, UTF-8
tags.py          where tags and comments end, and their attributes
elements.py      which elements are open, with opening.py (start tags) and formatting.py (``<b>``, ``<font>`` ...)
traits.py        what the names of elements mean
style.py         whether the text of an element is visible, with boxes.py
"""
