"""The figures of a model with decay, compared with those of the same model without."""

from __future__ import annotations

import msgspec

from .report import Report, render


class DecayReport(msgspec.Struct, frozen=True):
    """Figures over the same mails: `decayed` with a half-life of `half_life` labels, and `undecayed` without."""

    half_life: int
    decayed: Report
    undecayed: Report


def render_decay(report: DecayReport) -> str:
    """Both figures as tables for people, one below the other."""
    return (
        f"with half_life = {report.half_life}\n\n{render(report.decayed)}\n\n\n"
        f"without half_life\n\n{render(report.undecayed)}"
    )
