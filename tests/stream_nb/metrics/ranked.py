"""Scored mails for tests of rankings."""

from hypothesis import strategies as st

from stream_nb.metrics import Ranking

few_scores = st.sampled_from([-3.5, -1.0, 0.0, 0.25, 0.5, 2.0, 40.0])
scored = st.lists(st.tuples(few_scores, st.booleans()), max_size=40)


def ranked(mails):
    ranking = Ranking()
    for score, is_positive in mails:
        ranking.add(score, is_positive)
    return ranking
