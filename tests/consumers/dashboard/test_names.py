"""The page's types have the names and fields of the server's structs."""

from __future__ import annotations

import re

import msgspec
import pytest

from consumers.dashboard.app import STATIC
from consumers.dashboard.page import HistoryRing, PageConstants, PageState
from consumers.evaluation.report import Report
from consumers.monitor import view
from consumers.monitor.figures.audit import AuditView
from consumers.monitor.figures.curves import CalibrationPoint, Curve, CurvePoint, Curves
from consumers.monitor.figures.drift import SIGNALS, Change
from consumers.monitor.figures.estimate import Estimate
from consumers.monitor.figures.history import HistoryPoint
from consumers.monitor.figures.label_sources import SourceCounts, SourceView
from consumers.monitor.figures.sender_labels import SenderLabel, SenderView
from consumers.monitor.figures.traffic import DurationQuantiles, Histogram
from consumers.monitor.figures.windows import WindowSpec
from consumers.monitor.health import Health, LogHealth, StageHealth, TopicBacklog
from consumers.monitor.log_status import LogStatus, PartitionLag, SourceReliability
from consumers.monitor.mail_row import MailRow
from consumers.records.messages import MailPlace
from consumers.records.schemas import PredictionRecord
from tests.support import plain_http
from tests.support.page_mails import play, play_features
from tests.support.waiting import until

STRUCTS: list[type[msgspec.Struct]] = [
    AuditView,
    CalibrationPoint,
    Change,
    Curve,
    CurvePoint,
    Curves,
    DurationQuantiles,
    Estimate,
    Health,
    Histogram,
    HistoryPoint,
    HistoryRing,
    LogHealth,
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
    SenderLabel,
    SenderView,
    StageHealth,
    TopicBacklog,
    view.View,
    WindowSpec,
    view.WindowView,
]
INTERFACE = re.compile(r"^export interface (\w+) \{\n(.*?)^\}", re.DOTALL | re.MULTILINE)
PROPERTY = re.compile(r"^  (\w+): (.*?);", re.MULTILINE)


ANSWER_TYPES = ("answer_types.d.ts", "quality/policy_types.d.ts", "features/feature_types.d.ts")


def interfaces(*files: str) -> dict[str, dict[str, str]]:
    """Name -> property -> type, as declared in these files; by default in those that describe the server's structs."""
    text = "".join((STATIC / file).read_text("utf-8") for file in files or ("types.d.ts", "page_types.d.ts"))
    return {name: dict(PROPERTY.findall(body)) for name, body in INTERFACE.findall(text)}


def test_every_type_of_the_page_has_a_struct_and_vice_versa():
    assert sorted(interfaces()) == sorted(struct.__name__ for struct in STRUCTS)


@pytest.mark.parametrize("struct", STRUCTS, ids=lambda struct: struct.__name__)
def test_a_type_has_the_fields_of_its_struct(struct):
    fields = {field.encode_name: field.type for field in msgspec.structs.fields(struct)}
    properties = interfaces()[struct.__name__]
    assert list(properties) == list(fields)
    for name, kind in properties.items():
        assert ("null" in kind.split(" | ")) == (type(None) in getattr(fields[name], "__args__", ())), name


def test_a_mail_on_the_page_has_the_names_of_its_prediction():
    for name in ("id", "label", "log_odds", "probability", "threshold", "labels_learned", "arrived_at"):
        assert name in MailRow.__struct_fields__
        assert name in PredictionRecord.__struct_fields__


SIMPLE = {"string": str, "number": (int, float), "boolean": bool}


def mismatches(value: object, kind: str, types: dict[str, dict[str, str]], path: str) -> list[str]:
    """The places where a JSON value does not have the type that the page declares."""
    if kind.endswith(" | null"):
        return [] if value is None else mismatches(value, kind.removesuffix(" | null"), types, path)
    if kind.endswith("[]") and isinstance(value, list):
        inner = kind.removesuffix("[]")
        return [m for i, item in enumerate(value) for m in mismatches(item, inner, types, f"{path}[{i}]")]
    if isinstance(value, dict) and kind.startswith("Record<string, "):
        inner = kind.removeprefix("Record<string, ").removesuffix(">")
        return [m for key, item in value.items() for m in mismatches(item, inner, types, f"{path}.{key}")]
    if isinstance(value, dict) and kind in types:
        if set(value) != set(types[kind]):
            return [f"{path}: {sorted(value)} is not {kind}"]
        return [m for name, item in value.items() for m in mismatches(item, types[kind][name], types, f"{path}.{name}")]
    return [] if isinstance(value, SIMPLE.get(kind, ())) else [f"{path}: {value!r} is not {kind}"]


def test_responses_of_a_server_have_the_declared_types(stage):
    play_features(stage, 30)
    play(stage, 120)
    url = f"{stage.server.url}api/"
    state: dict = {}
    until(lambda: state.update(plain_http.get(f"{url}state").json()) or {"curves", "health"} <= set(state["changes"]))
    row = next(row for row in state["changes"]["mails"] if row["learned_label"])
    answers = {
        "PageState": state["page"],
        "Explanation": plain_http.get(f"{url}why", params=row["place"]).json(),
        "MailScore": plain_http.get(f"{url}score", params=row["place"]).json(),
        "WordLists": plain_http.get(f"{url}words").json(),
        "WordAnswer": plain_http.get(f"{url}word", params={"text": "pills"}).json(),
        "FeatureSummary": plain_http.get(f"{url}features").json(),
        "SmoothingCurve": plain_http.get(f"{url}smoothing").json(),
        "WordLessons": plain_http.get(f"{url}lessons", params={"text": "pills"}).json(),
        "SearchResult": plain_http.get(f"{url}search", params={"text": "", "true_label": "spam"}).json(),
        "AskList": plain_http.get(f"{url}ask").json(),
        "Failure": plain_http.get(f"{url}why").json(),
    }
    kinds = {
        "view": "View",
        "curves": "Curves",
        "health": "Health",
        "mails": "MailRow[]",
        "points": "HistoryPoint[]",
    }
    assert set(kinds) == set(state["changes"])
    types = interfaces() | interfaces(*ANSWER_TYPES)
    for kind, answer in answers.items():
        assert mismatches(answer, kind, types, kind) == []
    for name, kind in kinds.items():
        assert mismatches(state["changes"][name], kind, types, name) == []
    assert all(row["learned_label"] == "spam" for row in answers["SearchResult"]["rows"])
    assert answers["AskList"]["mails"] and answers["AskList"]["gains"]["labels"]
    assert answers["WordLessons"]["lessons"] and answers["WordLessons"]["unexplained"] == {}
    assert answers["Explanation"]["update"] and answers["WordAnswer"]["found"][0]["course"]


def test_every_signal_whose_change_is_shown_is_explained():
    glossary = (STATIC / "glossary.js").read_text("utf-8")
    assert [name for name in SIGNALS if f'"{name.capitalize()}": ' not in glossary] == []
