"""Files are short, and tests mirror them by name: `tests/consumers/log/test_base.py` tests `consumers/log/base.py`.

Several files of tests may share a product file (`test_base_consumer.py`), and a file may be tested by the examples in
its docstrings alone. `THROUGH` names the files that are tested through others, and where.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.test_layers import CONSUMERS, LIBRARY

ROOT = Path(__file__).parents[1]
MOST_LINES = 250
PRODUCT = [path for path in (*LIBRARY, *CONSUMERS) if path.stem not in ("__init__", "__main__")]

THROUGH = {
    "consumers/dashboard/test_page.py": "consumers/dashboard/label_writer",
    "consumers/dashboard/test_requests.py": "consumers/dashboard/app",
    "consumers/evaluation/test_verify.py": (
        "consumers/evaluation/findings consumers/evaluation/recount consumers/records/scores"
    ),
    "consumers/filter/test_lmtp_postfix.py": "consumers/cli/feed_lmtp",
    "consumers/filter/test_server.py": "consumers/filter/dialect",
    "consumers/ingest/formats/test_detect.py": "consumers/ingest/formats/base",
    "consumers/ingest/formats/test_json_lines.py": "consumers/ingest/formats/lines",
    "consumers/ingest/formats/test_one_class.py": "consumers/ingest/formats/summary",
    "consumers/ingest/synthetic/test_grammar.py": "consumers/ingest/synthetic/ham consumers/ingest/synthetic/spam",
    "consumers/ingest/synthetic/test_stream.py": "consumers/ingest/synthetic/messages consumers/ingest/synthetic/mime",
    "consumers/log/kafka/test_client_defects.py": (
        "consumers/log/kafka/client_types consumers/log/kafka/clients consumers/log/kafka/connection"
    ),
    "consumers/log/kafka/test_consumer.py": "consumers/log/kafka/assignors consumers/log/kafka/fencing",
    "consumers/log/kafka/test_security.py": "consumers/log/kafka/lost_connections",
    "consumers/log/sqlite/test_log.py": "consumers/log/ends",
    "consumers/log/test_base.py": (
        "consumers/log/kafka/log consumers/log/kafka/topic_names consumers/log/kafka/topics consumers/log/memory"
    ),
    "consumers/log/test_base_consumer.py": "consumers/log/sqlite/consumer",
    "consumers/mailbox/test_known_mails.py": "consumers/mailbox/known_mail",
    "consumers/mailbox/test_maildir_stops.py": "consumers/cli/feed_maildir",
    "consumers/mailbox/test_treatment.py": "consumers/cli/feed_imap",
    "consumers/model/test_policy.py": "consumers/evaluation/decisions consumers/model/policy_editor",
    "consumers/model/test_replica.py": "consumers/model/replica_state consumers/worker/catch_up",
    "consumers/monitor/test_health.py": "consumers/monitor/stages",
    "consumers/monitor/test_process_faults.py": "consumers/monitor/totals",
    "consumers/monitor/test_service.py": "consumers/monitor/topic",
    "consumers/monitor/figures/test_windows.py": "consumers/monitor/figures/window_stats",
    "consumers/records/test_messages.py": "consumers/records/schemas",
    "consumers/records/test_skipped.py": "consumers/worker/metrics",
    "consumers/runtime/test_supervisor.py": (
        "consumers/errors consumers/runtime/child consumers/runtime/fork_server consumers/runtime/fork_server_start"
    ),
    "consumers/settings/test_load.py": "consumers/settings/schema",
    "consumers/studies/test_command.py": "consumers/studies/sample",
    "consumers/studies/test_learning.py": "consumers/studies/models",
    "consumers/worker/test_models.py": ("consumers/model/stream_model consumers/model/textbook_input"),
    "flow/test_acls.py": "consumers/log/kafka/rights",
    "flow/test_combiner.py": "consumers/combiner/process",
    "flow/test_dashboard.py": "consumers/dashboard/process consumers/runtime/pause",
    "flow/test_silence.py": "consumers/silence/process",
    "flow/test_wheel.py": "consumers/worker/preload",
    "stream_nb/features/test_canonical.py": "stream_nb/features/hash_key",
    "stream_nb/features/test_extractor.py": "stream_nb/kernels/features/tokenize",
    "stream_nb/kernels/test_workspace.py": "stream_nb/kernels/layout",
    "stream_nb/kernels/features/test_grams.py": "stream_nb/kernels/features/gram_layout",
    "stream_nb/mail/test_alternatives.py": "stream_nb/kernels/mail/text_difference",
    "stream_nb/mail/test_headers.py": "stream_nb/kernels/mail/headers",
    "stream_nb/mail/test_html.py": (
        "stream_nb/kernels/html/split stream_nb/kernels/html/text stream_nb/kernels/html/characters "
        "stream_nb/kernels/html/sheets stream_nb/kernels/html/tags stream_nb/kernels/css/media "
        "stream_nb/kernels/css/sheets stream_nb/kernels/css/blocks stream_nb/kernels/css/layout stream_nb/kernels/swar"
    ),
    "stream_nb/mail/test_html_backgrounds.py": "stream_nb/kernels/css/backgrounds",
    "stream_nb/mail/test_html_boxes.py": "stream_nb/kernels/html/boxes",
    "stream_nb/mail/test_html_nesting.py": (
        "stream_nb/kernels/html/elements stream_nb/kernels/html/formatting stream_nb/kernels/html/traits"
    ),
    "stream_nb/mail/test_html_selectors.py": (
        "stream_nb/kernels/html/opening stream_nb/kernels/css/conditions stream_nb/kernels/css/names "
        "stream_nb/kernels/css/rules stream_nb/kernels/css/selectors"
    ),
    "stream_nb/mail/test_html_styles.py": (
        "stream_nb/kernels/html/style stream_nb/kernels/css/boxes stream_nb/kernels/css/colours "
        "stream_nb/kernels/css/declarations stream_nb/kernels/css/fonts stream_nb/kernels/css/math "
        "stream_nb/kernels/css/properties stream_nb/kernels/css/syntax stream_nb/kernels/css/values"
    ),
    "stream_nb/mail/test_limits.py": "stream_nb/errors",
    "stream_nb/mail/test_normalization.py": "stream_nb/kernels/mail/disguises",
    "stream_nb/mail/test_parser.py": "stream_nb/kernels/cpu",
    "stream_nb/kernels/mail_nb/test_message.py": (
        "stream_nb/kernels/mail_nb/score stream_nb/kernels/mail_nb/terms stream_nb/kernels/mail_nb/novelty "
        "stream_nb/kernels/mail_nb/update"
    ),
    "stream_nb/mail_nb/test_batch_engine.py": "stream_nb/kernels/mail_nb/batch stream_nb/mail_nb/label_batch",
    "stream_nb/mail_nb/test_feature_part.py": (
        "stream_nb/kernels/tabular/feature_parts stream_nb/kernels/tabular/feature_terms"
    ),
    "stream_nb/mail_nb/test_model.py": "stream_nb/mail_nb/base",
    "stream_nb/mail_nb/test_recorder.py": "stream_nb/flat",
    "stream_nb/features/test_count_changes.py": (
        "stream_nb/kernels/features/changes stream_nb/kernels/features/changes_reader"
    ),
    "stream_nb/mail_nb/test_starter.py": "stream_nb/kernels/mail_nb/starter stream_nb/mail_nb/starter_part",
    "stream_nb/mail_nb/test_update_sum.py": "stream_nb/mail_nb/updates",
    "stream_nb/mail_nb/test_vocabulary.py": "stream_nb/mail_nb/view",
    "stream_nb/tabular/test_feature_table.py": "stream_nb/kernels/tabular/feature_counts",
    "stream_nb/tabular/test_number_table.py": "stream_nb/kernels/tabular/number_layout stream_nb/tabular/arrays",
    "stream_nb/tabular/test_part_pool.py": "stream_nb/kernels/tabular/part_pool",
    "stream_nb/test_laws.py": "stream_nb/features/model",
    "stream_nb/text/test_interpretation.py": "stream_nb/joint",
    "stream_nb/text/test_bernoulli.py": "stream_nb/kernels/text/bernoulli",
    "stream_nb/text/test_multinomial.py": "stream_nb/kernels/text/multinomial stream_nb/kernels/text/common",
    "test_readme.py": "consumers/cli/commands/* consumers/cli/mails",
}
"""Test file -> the product files that it tests: kernels through the class that calls them, logs through the interface
of all logs, commands through the command line, and files that only one other file uses through that file."""


def through(test: str) -> list[Path]:
    """The product files that `THROUGH` lists for a test file."""
    return [path for name in THROUGH[test].split() for path in ROOT.glob(f"{name}.py") if path.stem != "__init__"]


def own_tests(path: Path) -> list[Path]:
    """The test files that have the name of a product file."""
    folder = ROOT / "tests" / path.relative_to(ROOT).parent
    return [*folder.glob(f"test_{path.stem}.py"), *folder.glob(f"test_{path.stem}_*.py")]


def has_examples(path: Path) -> bool:
    return ">>> " in path.read_text("utf-8")


def test_every_product_file_is_tested():
    others = {path for test in THROUGH for path in through(test)}
    untested = [path for path in PRODUCT if not (own_tests(path) or has_examples(path) or path in others)]

    assert len(PRODUCT) > 200
    assert [str(path.relative_to(ROOT)) for path in untested] == [], "test it in a file of its name"


def test_no_file_has_more_than_the_allowed_lines():
    kinds = ("*.py", "*.js", "*.ts", "*.css", "*.html")
    places = [ROOT / name for name in ("stream_nb", "consumers", "tests")]
    lines = {
        path: len(path.read_bytes().splitlines()) for place in places for kind in kinds for path in place.rglob(kind)
    }

    assert len(lines) > 500
    assert {str(path.relative_to(ROOT)): n for path, n in lines.items() if n > MOST_LINES} == {}, "split it by idea"


@pytest.mark.parametrize("test", THROUGH)
def test_a_file_listed_in_through_exists_and_has_no_tests_of_its_own(test):
    assert (ROOT / "tests" / test).is_file()
    assert all(list(ROOT.glob(f"{name}.py")) for name in THROUGH[test].split())
    assert [path.name for path in through(test) if own_tests(path)] == []
