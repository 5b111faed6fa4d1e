"""The printed settings can be read back, have a comment each, and contain no secret."""

import re
import tomllib
from itertools import pairwise

from consumers.cli.settings_text import render
from consumers.settings import SECTIONS, Settings, load_settings


def test_secrets_are_never_printed():
    settings = load_settings(None, {"STREAM_NB_KAFKA_SASL_PASSWORD": "hunter2", "STREAM_NB_DASHBOARD_TOKEN": "t0ken"})

    assert "hunter2" not in render(settings) + repr(settings) + str(settings)
    assert "t0ken" not in render(settings) + repr(settings) + str(settings)


def test_printed_settings_can_be_read_back(tmp_path):
    path = tmp_path / "a.toml"
    path.write_text(render(Settings()))

    assert load_settings(path, {}) == Settings()


def test_each_setting_has_a_comment():
    lines = render(Settings()).splitlines()

    assert lines[lines.index("poll_records = 4000") - 1] == "# Most records polled in one step."
    assert lines[lines.index("[worker]") - 1] == "# How mail is consumed."
    assert max(map(len, lines)) <= 100
    for above, line in pairwise(lines):
        if re.match(r"\w+ =|# \w+ =$", line):
            assert re.match(r"# (?!\w+ =$)", above), f"no comment for: {line}"


def test_all_settings_are_printed():
    printed = tomllib.loads(re.sub(r"^# (\w+) =$", r"\1 = 0.1", render(Settings()), flags=re.M))

    assert {name: set(printed[name]) for name in SECTIONS} == {name: set(SECTIONS[name]) for name in SECTIONS}
