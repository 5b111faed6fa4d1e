"""`stream-nb policy`."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import click

from ...records.values import MAX_LOG_ODDS
from ...settings import Settings
from ..numeric import FiniteRange
from ..options import SourceType, with_settings

if TYPE_CHECKING:
    from ...model.policy_editor import PolicyChange, PolicyState
    from ...records.policy import PolicyValues

SHOWN_CHANGES = 10


@click.command("policy")
@click.option(
    "--threshold",
    type=FiniteRange(-MAX_LOG_ODDS, MAX_LOG_ODDS),
    metavar="LOG-ODDS",
    help="Mails that score above this are predicted positive.",
)
@click.option(
    "--lose-at-most",
    metavar="SHARE|none",
    help="Raise the threshold until at most this share (0 to 1) of the other mails is above it; none: no limit.",
)
@click.option(
    "--false-positive-cost",
    type=FiniteRange(0, MAX_LOG_ODDS, min_open=True),
    metavar="COST",
    help="Cost of a false positive in units of a missed positive mail; 1: equal.",
)
@click.option(
    "--unsure",
    type=FiniteRange(0, MAX_LOG_ODDS),
    metavar="LOG-ODDS",
    help='Mails closer to the threshold than this are predicted "unsure".',
)
@click.option("--undo", is_flag=True, help="Undo the newest change; a second --undo redoes it.")
@click.option("--reset", is_flag=True, help="Return to the settings of the workers.")
@click.option(
    "--source", type=SourceType(), metavar="SOURCE", default="user", show_default=True, help="Who makes the change."
)
@with_settings
def command(
    settings: Settings,
    threshold: float | None,
    lose_at_most: str | None,
    false_positive_cost: float | None,
    unsure: float | None,
    undo: bool,
    reset: bool,
    source: str,
) -> None:
    """Print how scores become labels, or change it for new mails.

    A change is a record on the log with its source and time. Running workers apply it; mails that are already scored
    keep their labels. Values that are not given stay unchanged.
    """
    import msgspec

    from ...errors import UserError
    from ...model.policy_editor import PolicyEditor
    from ...records.setup import open_existing_log

    numbers = {"threshold": threshold, "false_positive_cost": false_positive_cost, "unsure": unsure}
    given: dict[str, float | None] = {name: value for name, value in numbers.items() if value is not None}
    if lose_at_most is not None:
        given["lose_at_most"] = _share(lose_at_most)
    if sum((bool(given), undo, reset)) > 1:
        raise UserError("--undo and --reset cannot be combined with other values or with each other")
    with open_existing_log(settings) as log:
        editor = PolicyEditor(log, settings.learner)
        if undo:
            state = editor.undo(source)
        elif reset:
            state = editor.change(None, source)
        elif given:
            state = editor.change(msgspec.structs.replace(editor.state().in_force, **given), source)
        else:
            state = editor.state()
    if undo:
        click.echo(f"undone: {_changed(state.changes[1])}; another --undo redoes it")
    _print(state)


def _share(text: str) -> float | None:
    from ...errors import UserError

    if text == "none":
        return None
    try:
        return float(text) + 0.0  # -0.0 is 0.0
    except ValueError as error:
        raise UserError(f"--lose-at-most {text!r}: give a share from 0 to 1, or none") from error


def _print(state: PolicyState) -> None:
    from_settings = state.offset < 0 or state.changes[0].policy is None
    click.echo(f"in force: {_describe(state.in_force)}{', from [learner] in the settings' if from_settings else ''}")
    for change in state.changes[:SHOWN_CHANGES]:
        click.echo(_changed(change))


def _changed(change: PolicyChange) -> str:
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(change.timestamp))
    what = "back to the settings" if change.policy is None else _describe(change.policy)
    return f"{when}  {change.source}: {what}"


def _describe(values: PolicyValues) -> str:
    """The values that decide; with a cost, the threshold is only where the unsure band is."""
    threshold = f"threshold {values.threshold:g}"
    by_cost = values.false_positive_cost != 1.0
    parts = [f"false positive cost {values.false_positive_cost:g}" if by_cost else threshold]
    if values.lose_at_most is not None:
        parts.append(f"lose at most {values.lose_at_most:g}")
    if values.unsure:
        parts.append(f"unsure within {values.unsure:g}{f' of {threshold}' if by_cost else ''}")
    return ", ".join(parts)
