"""Who may send labels, by address and password; the password is not shown."""

import pytest

from consumers.cli.settings_text import render
from consumers.filter.access import refusal
from consumers.settings import FilterSettings, load_settings


@pytest.mark.parametrize("peer", ["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"])
def test_this_machine_may_without_a_password(peer):
    assert refusal("", peer, FilterSettings()) is None


@pytest.mark.parametrize("peer", ["192.0.2.1", "0.0.0.0", "::ffff:192.0.2.1", "2001:db8::1", "", "localhost"])
def test_others_may_with_the_password_alone(peer):
    assert "STREAM_NB_FILTER_PASSWORD" in (refusal("", peer, FilterSettings()) or "")
    assert refusal("secret", peer, FilterSettings(password="secret")) is None


@pytest.mark.parametrize("given", ["", "Secret", "secret ", "sécret", "s" * 10_000])
def test_a_wrong_password_helps_nobody(given):
    assert refusal(given, "127.0.0.1", FilterSettings(password="secret")) is not None


def test_the_password_is_never_printed():
    settings = load_settings(None, {"STREAM_NB_FILTER_PASSWORD": "hunter2"})

    assert settings.filter.password == "hunter2"
    assert "hunter2" not in render(settings) + repr(settings) + str(settings.filter)
