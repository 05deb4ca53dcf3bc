"""What lies in deploy/ fits the program: settings of compose files, figures of the dashboard.

That nodes play behind the proxies is tried by tests/server/test_proxies_postgresql.py, and that the services of the
cluster play together by tests/server/test_compose_postgresql.py."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
import typer
import yaml  # type: ignore[import-untyped]

from tavolino.cli.serve import serve
from tavolino.server.observability import Metrics
from tavolino.version import VERSION

DEPLOY = Path(__file__).parents[1] / "deploy"
CLUSTER = DEPLOY / "cluster"
COMPOSE = [DEPLOY / "compose.yaml", CLUSTER / "compose.yaml"]
# Of github.com/compose-spec/compose-spec (170098b, June 2026, Apache 2.0), without its descriptions.
SPECIFICATION = Path(__file__).parent / "schemas" / "compose-spec.json"


def settings_of_the_program() -> set[str]:
    app = typer.Typer()
    app.command()(serve)
    found: set[str] = set()
    for parameter in typer.main.get_command(app).params:
        names = getattr(parameter, "envvar", None) or ()
        found |= {names} if isinstance(names, str) else set(names)
    return found


@pytest.mark.parametrize("file", COMPOSE, ids=lambda file: str(file.relative_to(DEPLOY)))
def test_a_compose_file_sets_what_the_program_knows(file: Path) -> None:
    described = yaml.safe_load(file.read_text())
    services: dict[str, Any] = described["services"]
    known, nodes = settings_of_the_program(), 0
    for name, service in services.items():
        assert "image" in service or "build" in service, name
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            is_there = (file.parent / source).exists() if source.startswith(".") else source in described["volumes"]
            assert is_there, f"{name}: {volume}"
        for network in service.get("networks", []):
            assert network in described["networks"], f"{name}: {network}"
        for other in service.get("depends_on", []):
            assert other in services, f"{name}: {other}"
        if "build" in service:
            nodes += 1
            assert (file.parent / service["build"]["context"] / service["build"]["dockerfile"]).exists()
            assert set(service["environment"]) <= known, name
    assert nodes >= 1


@pytest.mark.parametrize("file", COMPOSE, ids=lambda file: str(file.relative_to(DEPLOY)))
def test_a_compose_file_is_one_by_the_specification(file: Path) -> None:
    schema = json.loads(SPECIFICATION.read_text())
    described = yaml.safe_load(file.read_text())
    assert list(jsonschema.Draft7Validator(schema).iter_errors(described)) == []
    described["services"]["one"] = {"image": "tavolino", "enviroment": {}}
    assert list(jsonschema.Draft7Validator(schema).iter_errors(described)) != []


def test_the_server_trusts_the_proxy_on_the_host() -> None:
    """What connects to the published port comes from the gateway of the network that the compose file describes."""
    described = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    (network,) = described["networks"]["default"]["ipam"]["config"]
    (published,) = described["services"]["tavolino"]["ports"]
    assert published.startswith("127.0.0.1:"), "nobody else may come from there"
    assert described["services"]["tavolino"]["environment"]["FORWARDED_ALLOW_IPS"] == network["gateway"]


def test_the_cluster_is_put_together() -> None:
    services = yaml.safe_load((CLUSTER / "compose.yaml").read_text())["services"]
    nodes = [name for name in services if name.startswith("node-")]
    assert len(nodes) == 2
    upstreams = re.search(r"reverse_proxy (.*) \{", (CLUSTER / "Caddyfile").read_text())
    assert upstreams is not None
    assert upstreams[1].split() == [f"{name}:8000" for name in nodes]
    proxy = services["proxy"]["networks"]["inside"]["ipv4_address"]
    for name in nodes:
        settings = services[name]["environment"]
        assert settings["FORWARDED_ALLOW_IPS"] == proxy
        assert "@database/" in settings["TAVOLINO_DATABASE"]
        assert "@bus:" in settings["TAVOLINO_BUS"]
        assert int(services[name]["stop_grace_period"].rstrip("s")) > 10
    # A proxy asks whether a node is ready, not whether all is well with it.
    assert "health_uri /readyz\n" in (CLUSTER / "Caddyfile").read_text()
    assert (CLUSTER / "haproxy.cfg").read_text().count("option httpchk GET /readyz\n") == 2
    assert re.search(r"proxy_next_upstream error timeout;", (CLUSTER / "nginx.conf").read_text())
    # Metrics are for operators: no proxy passes them on.
    for file in ("Caddyfile", "nginx.conf", "haproxy.cfg"):
        assert re.search(r"/metrics\b.*404|404.*/metrics\b", (CLUSTER / file).read_text()), file


@pytest.mark.parametrize(
    ("settings", "port"),
    [
        ({}, 8000),
        ({"PORT": "8080"}, 8080),
        ({"TAVOLINO_PORT": "8081", "PORT": "8080"}, 8081),
        ({"TAVOLINO_PORT": "", "PORT": "8080"}, 8080),
    ],
)
def test_the_image_asks_the_port_that_the_server_listens_on(
    settings: dict[str, str], port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("TAVOLINO_PORT", "PORT"):
        monkeypatch.delenv(name, raising=False)
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    app = typer.Typer()
    app.command()(serve)
    assert typer.main.get_command(app).make_context("serve", []).params["port"] == port
    check = re.search(r"^HEALTHCHECK .*CMD (\[.*\])$", (DEPLOY / "Containerfile").read_text(), re.MULTILINE)
    assert check is not None
    asked: list[str] = []
    monkeypatch.setattr("urllib.request.urlopen", lambda url, timeout: asked.append(url))
    exec(json.loads(check[1])[-1], {})
    assert asked == [f"http://127.0.0.1:{port}/readyz"]


def test_the_timeouts_of_the_guide_are_those_of_the_files() -> None:
    files = {name: (CLUSTER / name).read_text() for name in ("Caddyfile", "nginx.conf", "haproxy.cfg")}
    guide = (DEPLOY.parent / "docs" / "guides" / "scale-it.md").read_text()
    listed = guide[guide.index("Timeouts, as in these files:") : guide.index("## PostgreSQL")]
    named = re.findall(r"`([a-z_ -]+ \d+[hs]?)`", listed)
    assert len(named) >= 8
    for line in named:
        assert any(re.search(rf"^\s*{line};?$", text, re.MULTILINE) for text in files.values()), line
    # A check may take longer than the time between two of them, on a busy machine.
    assert "timeout check 5s" in files["haproxy.cfg"]
    assert "health_timeout 5s" in files["Caddyfile"]


def figures() -> dict[str, set[str]]:
    """The names of the figures of /metrics, and their labels."""
    metrics = Metrics()
    names: dict[str, set[str]] = {"up": {"instance"}}
    for family in metrics.registry.collect():
        collector = metrics.registry._names_to_collectors.get(family.name)
        labels = set(getattr(collector, "_labelnames", ())) | {"instance"}
        labels |= {label for sample in family.samples for label in sample.labels}
        endings = {"counter": ["_total"], "histogram": ["_bucket", "_sum", "_count"], "info": ["_info"]}.get(
            family.type, [""]
        )
        names |= {family.name + ending: labels | ({"le"} if ending == "_bucket" else set()) for ending in endings}
    return names


def test_metrics_say_what_runs_and_what_the_process_takes() -> None:
    text = Metrics().text().decode()
    assert f'tavolino_build_info{{python="{".".join(map(str, sys.version_info[:3]))}",version="{VERSION}"}} 1.0' in text
    for name in ("process_resident_memory_bytes", "process_open_fds", "process_cpu_seconds_total"):
        assert f"\n{name} " in text


def test_every_figure_of_the_alerts_is_measured() -> None:
    names = figures()
    rules = [rule for group in yaml.safe_load((DEPLOY / "alerts.yml").read_text())["groups"] for rule in group["rules"]]
    for rule in rules:
        used = set(re.findall(r"\b(?:tavolino|process)_\w+|\bup\b", rule["expr"]))
        assert used, rule["expr"]
        assert used <= names.keys(), used - names.keys()


@pytest.mark.slow
def test_prometheus_accepts_the_alerts() -> None:
    promtool = shutil.which("promtool")
    assert promtool is not None, "scripts/install-system-packages proxies"
    done = subprocess.run(
        [promtool, "check", "rules", str(DEPLOY / "alerts.yml")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "8 rules found" in done.stdout


def test_the_service_is_confined() -> None:
    """By systemd's own count; a lower figure is better."""
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("systemd is not installed")
    done = subprocess.run(
        [analyze, "security", "--offline=true", str(DEPLOY / "tavolino.service")],
        capture_output=True,
        text=True,
        check=False,
    )
    score = re.search(r"exposure level for \S+: ([0-9.]+)", done.stdout)
    assert score is not None, done.stdout + done.stderr
    assert float(score[1]) <= 2.0


def test_the_base_image_can_be_pinned_and_an_installation_keeps_apts_lists() -> None:
    image, install = (DEPLOY / "Containerfile").read_text(), (DEPLOY / "install").read_text()
    assert re.findall(r"^FROM (\S+)", image, re.MULTILINE) == ["${BASE}", "${BASE}"]
    assert "/var/lib/apt/lists" not in install
    assert "--force-reinstall" in install
    assert "2>/dev/null" not in install


def test_an_image_is_built_with_gits_data() -> None:
    """Else its build has no version. Podman would read a .containerignore before the .dockerignore."""
    root = DEPLOY.parent
    ignored = (root / ".dockerignore").read_text().split()
    assert ".venv" in ignored
    assert ".git" not in ignored
    assert not (root / ".containerignore").exists()


def test_every_figure_of_the_dashboard_is_measured() -> None:
    names = figures()
    dashboard = json.loads((DEPLOY / "grafana.json").read_text())
    for panel in dashboard["panels"]:
        for target in panel["targets"]:
            expression, legend = target["expr"], target["legendFormat"]
            used = set(re.findall(r"\b(tavolino_\w+|up)\b", expression))
            assert used, expression
            assert used <= names.keys(), used - names.keys()
            labels = set().union(*(names[name] for name in used))
            grouped = re.search(r"by \(([^)]*)\)", expression)
            if grouped is not None:
                assert {each.strip() for each in grouped[1].split(",")} <= labels, expression
            assert set(re.findall(r"\{\{(\w+)\}\}", legend)) <= labels, legend
