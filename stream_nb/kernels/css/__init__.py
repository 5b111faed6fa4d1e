"""CSS -> rules and declarations, as far as they decide whether text is visible.

sheets.py        style sheets -> rules, with blocks.py, media.py and layout.py (the arrays of rules and names)
rules.py         which elements a rule selects, with selectors.py, conditions.py and names.py
declarations.py  the properties that a rule or an attribute declares, with properties.py and syntax.py
values.py        what a value means and whether it is valid, with backgrounds.py, boxes.py, colours.py, fonts.py and
                 math.py
"""
