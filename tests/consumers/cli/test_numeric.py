"""The numbers that command options accept."""

import importlib

import click
import pytest
from click.testing import CliRunner

from consumers.cli.main import COMMANDS, cli
from consumers.cli.numeric import RateType
from stream_nb.parameter import MOST_SMOOTHING

OPTIONS = [
    (name, option)
    for name in COMMANDS
    for option in importlib.import_module(f"consumers.cli.commands.{name}").command.params
]
NUMBERS = [(name, option) for name, option in OPTIONS if isinstance(option.type, click.types.FloatParamType)]
WHOLE = [(name, option) for name, option in OPTIONS if isinstance(option.type, click.types.IntParamType)]
named = {"ids": lambda given: getattr(given, "name", given)}


@pytest.mark.parametrize(("name", "option"), NUMBERS, **named)
def test_every_number_is_finite(name, option):
    for number in ("nan", "inf", "-inf", "1e999"):
        with pytest.raises(click.BadParameter, match=f"'{number}' is not a finite number"):
            option.type.convert(number, option, None)


@pytest.mark.parametrize(("name", "option"), NUMBERS, **named)
def test_minus_zero_becomes_zero(name, option):
    """`policy` would print a threshold of -0."""
    try:
        zero = option.type.convert("-0", option, None)
    except click.BadParameter:
        assert option.type.min_open
    else:
        assert str(zero) == "0.0"


@pytest.mark.parametrize(("name", "option"), WHOLE, **named)
def test_every_whole_number_has_a_maximum_or_is_a_seed(name, option):
    assert option.type.min is not None
    for number in (str(option.type.min - 1), str(10**30)):
        if option.metavar == "SEED" or option.name == "seed":
            assert option.type.convert(str(10**30), option, None) == 10**30
        else:
            with pytest.raises(click.BadParameter, match=f"{number} is not in the range"):
                option.type.convert(number, option, None)


@pytest.mark.parametrize(("name", "option"), [each for each in NUMBERS if each[1].name == "smoothing"], **named)
def test_smoothing_has_the_range_of_the_library(name, option):
    assert option.type.convert(str(MOST_SMOOTHING), option, None) == MOST_SMOOTHING
    with pytest.raises(click.BadParameter, match="is not in the range"):
        option.type.convert(str(2 * MOST_SMOOTHING), option, None)


@pytest.mark.parametrize(("text", "rate"), [("0", 0.0), ("-0", 0.0), ("1e-6", 1e-6), ("1e300", 1e300), ("7", 7.0)])
def test_a_rate_is_0_or_a_positive_number(text, rate):
    assert RateType().convert(text, None, None) == rate


@pytest.mark.parametrize("text", ["1e-300", "5e-324", "9e-7", "-1", "-1e-300"])
def test_an_invalid_or_tiny_rate_is_refused(text):
    with pytest.raises(click.BadParameter, match=f"'{text}': give at least 0.000001, or 0 for full speed"):
        RateType().convert(text, None, None)


def test_a_limit_beyond_the_maximum_is_refused(tmp_path):
    (tmp_path / "t.csv").write_text("size,class\n1,a\n2,b\n")
    said = CliRunner().invoke(cli, ["evaluate", str(tmp_path / "t.csv"), "--limit", str(10**30)])
    assert said.exit_code == 2
    assert f"Invalid value for '--limit': {10**30} is not in the range 1<=x<=1000000000." in said.output
