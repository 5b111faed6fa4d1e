"""The files for systemd, Kubernetes and Docker Compose in config/."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from consumers.errors import STATUS_USER_ERROR
from consumers.worker import warm

CONFIG = Path(__file__).parents[1] / "config"
UNIT = CONFIG / "systemd" / "stream-nb@.service"
KUBERNETES = CONFIG / "kubernetes" / "stream-nb.yaml"
COMPOSE = CONFIG / "compose.yaml"
IMAGE = CONFIG / "Dockerfile"


def test_systemd_accepts_the_unit(tmp_path):
    if shutil.which("systemd-analyze") is None:
        pytest.skip("no systemd-analyze here: install systemd to have the unit checked")
    unit = tmp_path / "stream-nb@worker.service"
    # The program and the user exist only after an installation.
    text = UNIT.read_text().replace("/opt/stream-nb/bin/stream-nb", "/bin/true").replace("User=stream-nb", "User=root")
    unit.write_text(text)

    result = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False)

    ours = [line for line in (result.stdout + result.stderr).splitlines() if "stream-nb" in line]
    assert ours == []


def test_systemd_runs_a_stage_with_few_rights(tmp_path):
    """It parses hostile mail. The exposure is 0 to 10; a unit without restrictions has 9.6."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("no systemd-analyze here: install systemd to have the unit checked")
    unit = tmp_path / "stream-nb@worker.service"
    unit.write_text(UNIT.read_text())

    command = ["systemd-analyze", "security", "--offline=true", "--threshold=25", str(unit)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)

    assert result.returncode == 0, result.stdout


def test_systemd_does_not_restart_after_a_user_error():
    assert f"RestartPreventExitStatus={STATUS_USER_ERROR}\n" in UNIT.read_text()


def test_systemd_never_gives_up_otherwise():
    """A full disk, for example, ends each start at once, and is no reason to stay off when there is room again."""
    assert "\nRestart=always\n" in UNIT.read_text()
    assert "\nStartLimitIntervalSec=0\n" in UNIT.read_text()


def test_each_liveness_probe_waits_for_a_startup_probe():
    """A pod of an image without compiled kernels compiles for longer than a liveness probe would wait."""
    lines = KUBERNETES.read_text().splitlines()
    alive = [number for number, line in enumerate(lines) if "livenessProbe" in line]
    assert alive and all("startupProbe" in lines[number - 1] for number in alive)


def test_each_pod_meets_the_restricted_standard():
    """https://kubernetes.io/docs/concepts/security/pod-security-standards/; a namespace may refuse other pods."""
    for pod in KUBERNETES.read_text().split("\n    spec:\n")[1:]:
        assert "\n      securityContext: {runAsNonRoot: true," in f"\n{pod}"
        assert "seccompProfile: {type: RuntimeDefault}" in pod
        limited = re.findall(r"allowPrivilegeEscalation: false, capabilities: \{drop: \[ALL\]\}|: \*restricted", pod)
        assert len(limited) == pod.count("image: ")


def test_each_stage_requests_processor_and_memory():
    """A node that runs out of memory first ends the pods that request none."""
    pods = KUBERNETES.read_text().split("\n      containers:")[1:]
    assert pods and all(re.search(r"resources: \{requests: \{cpu: .+, memory: .+\}\}", pod) for pod in pods)


def test_an_image_contains_the_compiled_kernels():
    """Compiled by their later user, and for any processor: a pod may run on another machine than the build."""
    image = IMAGE.read_text()
    compile_once = f"RUN python -m stream_nb_{warm.__name__} "
    assert "NUMBA_CPU_NAME=generic" in image
    assert image.index("\nUSER 10001\n") < image.index(compile_once)


def test_a_worker_whose_root_is_read_only_gets_a_copy_of_the_compiled_kernels():
    (cache,) = re.findall(r"NUMBA_CACHE_DIR=(\S+)", IMAGE.read_text())
    pod = KUBERNETES.read_text()
    assert f"command: [cp, -r, {cache}/., /compiled]" in pod
    assert f"{{name: compiled, mountPath: {cache}}}" in pod


@pytest.mark.parametrize("port", ["127.0.0.1:8050:8050", "127.0.0.1:9464:9464", "127.0.0.1:11333:11333"])
def test_a_published_port_is_not_bound_to_the_loopback_address_of_its_container(port):
    (service,) = [service for service in COMPOSE.read_text().split("\n\n") if f'ports: ["{port}"]' in service]
    assert "0.0.0.0" in service


def test_each_container_is_restarted_after_its_end():
    services = COMPOSE.read_text().partition("\nservices:\n")[2].split("\n\n")[:-1]
    assert len(services) == 5
    assert all("restart: unless-stopped" in service or "<<: *stage" in service for service in services)


def test_compose_uses_names_of_its_own():
    """Without a name it uses that of the folder, and another project's `config` folder would share the volume."""
    assert "\nname: stream-nb\n" in COMPOSE.read_text()


def test_git_ignores_the_secrets_that_compose_reads():
    (file,) = re.findall(r"> (config/\S+)\)", COMPOSE.read_text())
    assert f"/{file}" in (CONFIG.parent / ".gitignore").read_text().splitlines()


def test_an_image_contains_only_what_it_needs():
    """Not the log and the environment of the folder, and not the machine code that tests leave beside the sources."""
    copies = re.findall(r"^COPY (.+) \S+$", IMAGE.read_text(), re.MULTILINE)
    sources = [source for copy in copies for source in copy.split()]
    rules = (CONFIG.parent / ".dockerignore").read_text().splitlines()
    assert rules[1:] == ["*", *(f"!{source}" for source in sources), "**/__pycache__"]


def test_an_image_contains_the_versions_that_are_tested():
    image = IMAGE.read_text()
    assert "config/constraints.txt /app/\n" in image
    assert "pip install --no-cache-dir --constraint /app/constraints.txt /app" in image
