from random import Random

import pytest

from consumers.ingest.synthetic import ham, spam
from consumers.ingest.synthetic.grammar import expand, made_up_word


def test_slots_are_filled_recursively():
    assert expand("{a}!", {"a": ["{b} {b}"], "b": ["x"]}, Random(0)) == "x x!"
    assert expand("no slot", {}, Random(0)) == "no slot"
    assert expand("{number}", {}, Random(0)).isdigit()
    with pytest.raises(KeyError):
        expand("{nothing}", {}, Random(0))


GRAMMARS = [ham.COMMON | topic for topic in ham.TOPICS.values()]
GRAMMARS += [spam.COMMON | topic for topic in spam.TOPICS.values()]
GRAMMARS += [ham.COMMON | wave for wave in spam.WAVES]


@pytest.mark.parametrize("grammar", GRAMMARS, ids=range(len(GRAMMARS)))
def test_every_phrase_of_every_grammar_can_be_filled(grammar):
    draw = Random(1)
    for phrases in grammar.values():
        for phrase in phrases:
            assert "{" not in expand(phrase, grammar, draw)


def test_there_are_many_invented_words():
    draw = Random(1)

    assert len({made_up_word(draw) for _ in range(1000)}) > 900
