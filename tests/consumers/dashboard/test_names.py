"""The page's types have the names and fields of the server's structs."""

from __future__ import annotations

import re

import msgspec
import pytest

from consumers.dashboard.app import STATIC
from consumers.dashboard.page import HistoryRing, PageConstants, PageState
from consumers.evaluation.report import Report
from consumers.monitor import view
from consumers.monitor.audit import AuditView
from consumers.monitor.curves import CalibrationPoint, Curve, CurvePoint, Curves
from consumers.monitor.drift import Change
from consumers.monitor.estimate import Estimate
from consumers.monitor.heartbeat import Heartbeat
from consumers.monitor.history import HistoryPoint
from consumers.monitor.joiner import MailPlace
from consumers.monitor.label_sources import SourceCounts, SourceView
from consumers.monitor.log_status import LogStatus, PartitionLag, SourceReliability
from consumers.monitor.mail_row import MailRow
from consumers.monitor.traffic import DurationQuantiles, Histogram
from consumers.monitor.windows import WindowSpec
from consumers.records.schemas import PredictionRecord

STRUCTS: list[type[msgspec.Struct]] = [
    AuditView,
    CalibrationPoint,
    Change,
    Curve,
    CurvePoint,
    Curves,
    DurationQuantiles,
    Estimate,
    Heartbeat,
    Histogram,
    HistoryPoint,
    HistoryRing,
    LogStatus,
    MailPlace,
    MailRow,
    PageConstants,
    PageState,
    PartitionLag,
    Report,
    SourceCounts,
    SourceReliability,
    SourceView,
    view.View,
    WindowSpec,
    view.WindowView,
]
TYPEDEF = re.compile(r"@typedef \{object\} (\w+)\n(.*?)\*/", re.DOTALL)
PROPERTY = re.compile(r"@property \{(.*)\} (\w+)")


def typedefs() -> dict[str, dict[str, str]]:
    """Name -> property -> type, as types.js says."""
    text = (STATIC / "types.js").read_text("utf-8")
    return {name: {field: kind for kind, field in PROPERTY.findall(body)} for name, body in TYPEDEF.findall(text)}


def test_every_type_of_the_page_is_a_struct_and_the_other_way_round():
    assert sorted(typedefs()) == sorted(struct.__name__ for struct in STRUCTS)


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
def test_a_type_has_the_fields_of_its_struct(struct):
    fields = {field.encode_name: field.type for field in msgspec.structs.fields(struct)}
    properties = typedefs()[struct.__name__]
    assert list(properties) == list(fields)
    for name, kind in properties.items():
        assert ("null" in kind.split(" | ")) == (type(None) in getattr(fields[name], "__args__", ())), name


def test_a_mail_on_the_page_has_the_names_of_its_prediction():
    for name in ("id", "label", "log_odds", "probability", "threshold", "labels_learned", "arrived_at"):
        assert name in MailRow.__struct_fields__
        assert name in PredictionRecord.__struct_fields__
