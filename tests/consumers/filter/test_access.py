"""Who may send labels, by address and password; the password is never printed."""

import pytest

from consumers.cli.settings_text import render
from consumers.filter.access import refusal
from consumers.settings import FilterSettings, load_settings


@pytest.mark.parametrize("peer", ["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"])
def test_clients_on_this_machine_need_no_password(peer):
    assert refusal("", peer, FilterSettings()) is None


@pytest.mark.parametrize("peer", ["192.0.2.1", "0.0.0.0", "::ffff:192.0.2.1", "2001:db8::1", "", "localhost"])
def test_clients_on_other_machines_need_the_password(peer):
    assert "STREAM_NB_FILTER_PASSWORD" in (refusal("", peer, FilterSettings()) or "")
    assert refusal("secret", peer, FilterSettings(password="secret")) is None


@pytest.mark.parametrize("given", ["", "Secret", "secret ", "sécret", "s" * 10_000])
def test_a_wrong_password_is_refused_even_on_this_machine(given):
    assert refusal(given, "127.0.0.1", FilterSettings(password="secret")) is not None


def test_the_password_is_never_printed():
    settings = load_settings(None, {"STREAM_NB_FILTER_PASSWORD": "hunter2"})

    assert settings.filter.password == "hunter2"
    assert "hunter2" not in render(settings) + repr(settings) + str(settings.filter)
