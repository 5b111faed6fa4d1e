"""Settings come from defaults, a file and the environment; errors name the file or variable and the setting."""

import pytest

from consumers.errors import UserError
from consumers.settings import load_settings


def test_the_environment_overrides_the_file_and_the_command_line_overrides_both(tmp_path):
    path = tmp_path / "a.toml"
    path.write_text('log = "sqlite:one"\n[worker]\npoll_records = 5\npoll_s = 0.25\n')

    settings = load_settings(path, {"STREAM_NB_WORKER_POLL_RECORDS": "7", "STREAM_NB_LOG": "sqlite:two"})
    assert (settings.log, settings.worker.poll_records, settings.worker.poll_s) == ("sqlite:two", 7, 0.25)

    assert load_settings(path, {"STREAM_NB_LOG": "sqlite:two"}, "sqlite:three").log == "sqlite:three"
    assert "poll_records=7" in repr(settings)


def test_variables_of_others_and_those_that_are_no_settings_are_passed_over():
    others = {"PATH": "/bin", "STREAM_NB_CONFIG": "a.toml", "STREAM_NB_DATA": "/data"}

    assert load_settings(None, others) == load_settings(None, {})


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[worker]\npoll_record = 5", "[worker] poll_record is not a setting; did you mean [worker] poll_records?"),
        ("[worker]\nthreshold = 5", "[worker] threshold is not a setting; did you mean [learner] threshold?"),
        ('log = "sqlite:a\\u0000"', "log contains a null character; remove it"),
        ('[kafka]\nssl_cafile = "a\\u0000"', "[kafka] ssl_cafile contains a null character; remove it"),
        ("[worker]\nx = 5", "[worker] x is not a setting; `stream-nb settings` lists them"),
        ("poll_records = 5", "poll_records is not a setting; did you mean [worker] poll_records?"),
        ("logs = 'sqlite:x'", "logs is not a setting; did you mean log?"),
        ("[wroker]\npoll_records = 5", "[wroker] is not a section; did you mean [worker]?"),
        ("[filter]\nhost = ''", "[filter] host: Expected `str` of length >= 1 (value: '')"),
        ("[worker]\ngroup = ''", "[worker] group: Expected `str` of length >= 1 (value: '')"),
        ("[worker]\npoll_records = 0", "[worker] poll_records: Expected `int` >= 1 (value: 0)"),
        ('[worker]\npoll_records = "5"', "[worker] poll_records: Expected `int`, got `str` (value: '5')"),
        ("[worker.poll_s]\nx = 1", "[worker] poll_s: Expected `float`, got `object`"),
        (
            "[learner]\nlearn = 'sometimes'",
            "[learner] learn: Invalid enum value 'sometimes'; give one of 'near-error', 'everything'",
        ),
        ("worker = 5", "worker is a section; write [worker]"),
        ("log = 5", "log: Expected `str`, got `int`"),
        ('[kafka]\nprefix = "a b"', "[kafka] prefix: Expected `str` matching regex"),
        ('[kafka]\nsecurity_protocol = "SASL"', "[kafka] security_protocol: Invalid enum value 'SASL'"),
        ("[worker]\npoll_s = ]", "line 2"),
        ("nonsense = 1", "nonsense is not a setting; `stream-nb settings` lists them"),
        ("[learner]\npositive = ''", "[learner] positive: Expected `str` of length >= 1"),
        ("[monitor]\nport = " + "9" * 5_000, "Exceeds the limit"),
        ("x = " + "[" * 5_000, "settings file "),
    ],
)
def test_an_error_names_the_file_and_the_setting(tmp_path, text, says):
    path = tmp_path / "a.toml"
    path.write_text(text)

    with pytest.raises(UserError) as error:
        load_settings(path, {})

    assert "a.toml" in str(error.value)
    assert says in str(error.value)


def test_a_file_in_another_encoding_is_refused_with_advice(tmp_path):
    """Such as PowerShell's, or one with a comment from an old editor."""
    path = tmp_path / "a.toml"
    for encoding in ("utf-16", "latin-1"):
        path.write_bytes("# für uns\n".encode(encoding))
        with pytest.raises(UserError, match=r"a.toml is not UTF-8; save it as UTF-8$"):
            load_settings(path, {})


def test_a_file_may_begin_with_a_byte_order_mark(tmp_path):
    path = tmp_path / "a.toml"
    path.write_bytes(b"\xef\xbb\xbflog = 'sqlite:one'\r\n")

    assert load_settings(path, {}).log == "sqlite:one"


def test_a_missing_file_is_refused_with_its_name(tmp_path):
    with pytest.raises(UserError, match=r"absent.toml.*No such file"):
        load_settings(tmp_path / "absent.toml", {})


@pytest.mark.parametrize("variable", ["STREAM_NB_WORKER_POLL", "STREAM_NB_WORKERS_POLL_S", "STREAM_NB_X"])
def test_an_unknown_variable_is_refused(variable):
    with pytest.raises(UserError, match=f"{variable} is not a setting"):
        load_settings(None, {variable: "1"})


def test_the_error_for_an_unknown_variable_suggests_the_most_similar_one():
    with pytest.raises(UserError, match=r"did you mean STREAM_NB_WORKER_POLL_S\?"):
        load_settings(None, {"STREAM_NB_WORKERS_POLL_S": "1"})


def test_variables_that_are_valid_only_together_are_accepted():
    variables = {"STREAM_NB_WORKER_REMEMBER_LABELS": "10", "STREAM_NB_WORKER_REMEMBER_MAILS": "5"}

    assert load_settings(None, variables).worker.remember_labels == 10


def test_a_variable_out_of_range_is_refused():
    with pytest.raises(UserError, match=r"STREAM_NB_MONITOR_PORT: Expected `int` <= 65535 \(value: '70000'\)$"):
        load_settings(None, {"STREAM_NB_MONITOR_PORT": "70000"})


def test_remembering_fewer_labels_than_mails_is_refused():
    equal = {"STREAM_NB_WORKER_REMEMBER_LABELS": "10", "STREAM_NB_WORKER_REMEMBER_MAILS": "10"}
    assert load_settings(None, equal).worker.remember_labels == 10
    with pytest.raises(UserError, match="remember_labels"):
        load_settings(None, {"STREAM_NB_WORKER_REMEMBER_LABELS": "10"})


@pytest.mark.parametrize("text", ["inf", "-inf", "nan"])
def test_a_number_that_is_not_finite_is_refused(tmp_path, text):
    file = tmp_path / "settings.toml"
    file.write_text(f"[learner]\nthreshold = {text}\n")
    with pytest.raises(UserError, match=rf"settings.toml: \[learner\] threshold is {text}; give a finite number"):
        load_settings(file, {})
    with pytest.raises(UserError, match=f"STREAM_NB_LEARNER_THRESHOLD is {text}; give a finite number"):
        load_settings(None, {"STREAM_NB_LEARNER_THRESHOLD": text})


def test_the_error_for_a_boolean_names_its_values():
    with pytest.raises(UserError, match=r"LEARNER_TRUST: Expected `bool`, got `str` \(value: 'yes'\); give true or"):
        load_settings(None, {"STREAM_NB_LEARNER_TRUST": "yes"})


def test_a_secret_that_is_not_text_is_not_printed(tmp_path):
    file = tmp_path / "settings.toml"
    file.write_text("[imap]\npassword = 12345\n")
    with pytest.raises(UserError, match=r"\[imap\] password: Expected `str`, got `int`$"):
        load_settings(file, {})


def test_a_password_in_the_log_url_is_refused_and_not_printed(tmp_path):
    url, path = "kafka://u:secret@host:9092", tmp_path / "a.toml"
    path.write_text(f"log = '{url}'")
    for file, environ, log, place in (
        (path, {}, None, f"settings file {path}: log: user and"),
        (None, {"STREAM_NB_LOG": url}, None, "environment: STREAM_NB_LOG: user and"),
        (None, {}, url, "--log: user and"),
    ):
        with pytest.raises(UserError, match=f"^{place}.*STREAM_NB_KAFKA_SASL_PASSWORD") as refused:
            load_settings(file, environ, log)
        assert "secret" not in str(refused.value)
    for log in ("kafka://host:9092", "sqlite:mail@home"):
        assert load_settings(None, {}, log).log == log


@pytest.mark.parametrize("variable", ["FILTER_PASSWORD", "DASHBOARD_TOKEN", "KAFKA_SASL_PASSWORD", "IMAP_PASSWORD"])
def test_a_secret_with_a_line_end_is_refused_and_not_shown(tmp_path, variable):
    """`echo secret | base64` gives such a secret to Kubernetes; a client cannot send it."""
    with pytest.raises(UserError, match=f"environment: STREAM_NB_{variable} contains a line end") as refused:
        load_settings(None, {f"STREAM_NB_{variable}": "hunter2\n"})
    assert "hunter2" not in str(refused.value)

    allowed = {f"STREAM_NB_{variable}": "hunter2", "STREAM_NB_FILTER_SUBJECT": "tab\t%s"}
    assert load_settings(None, allowed).filter.subject == "tab\t%s"

    section, _, key = variable.lower().partition("_")
    path = tmp_path / "settings.toml"
    path.write_text(f'[{section}]\n{key} = "hunter2\\n"\n')
    with pytest.raises(UserError, match=rf"settings.toml: \[{section}\] {key} contains a line end"):
        load_settings(path, {})


@pytest.mark.parametrize("service", ["STREAM_NB_FILTER", "STREAM_NB_DASHBOARD", "STREAM_NB"])
def test_the_variables_of_a_service_of_kubernetes_are_no_settings(service):
    """Each container gets them for each service of its namespace, so those of config/kubernetes/, too."""
    address = "tcp://10.96.7.4:11333"
    variables = {
        f"{service}_SERVICE_HOST": "10.96.7.4",
        f"{service}_SERVICE_PORT": "11333",
        f"{service}_SERVICE_PORT_RSPAMD": "11333",
        f"{service}_PORT": address,
        f"{service}_PORT_11333_TCP": address,
        f"{service}_PORT_11333_TCP_PROTO": "tcp",
        f"{service}_PORT_11333_TCP_PORT": "11333",
        f"{service}_PORT_11333_TCP_ADDR": "10.96.7.4",
    }

    assert load_settings(None, variables) == load_settings(None, {})
    assert load_settings(None, variables | {"STREAM_NB_FILTER_PORT": "7"}).filter.port == 7
