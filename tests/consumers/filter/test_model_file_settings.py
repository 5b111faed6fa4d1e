"""What the settings decide for a model file: which header fields are read, how many words are shown, and the policy."""

from __future__ import annotations

import re

import pytest

from tests.support.filter_client import SPAM


@pytest.mark.parametrize("most", [1, 3])
def test_as_many_words_are_shown_as_are_set(cli, model, tmp_path, most):
    out = cli("classify", "--model", model, tmp_path / "spam" / "0", FILTER_WORDS=str(most))[1]

    assert len(re.findall(rb" [+-]\d\.\d\d\b", out)) == most


@pytest.mark.parametrize(("headers", "same"), [("keep", False), ("safe", True)])
def test_without_the_fields_of_servers_a_copy_that_came_another_way_is_the_same_mail(cli, model, headers, same):
    for hop in (b"one", b"other"):
        mail = b"Received: from %s\nSubject: lunch\n\nat noon\n" % hop
        said = cli("learn", "--ham", "--model", model, stdin=mail, LEARNER_HEADERS=headers)[1]

    assert (b"already known" in said) == same


def test_a_bound_on_lost_ham_needs_the_mail_model_in_the_file_and_not_in_the_settings(cli, model, tmp_path):
    spam = tmp_path / "spam" / "0"
    bound = {"LEARNER_MODEL": "bernoulli", "LEARNER_LOSE_AT_MOST": "0.5"}

    assert cli("classify", "--model", model, spam, **bound)[0] == SPAM
