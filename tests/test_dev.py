import base64
import hashlib
import importlib.util
import json
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib.machinery import SourceFileLoader
from pathlib import Path
from threading import Thread
from types import ModuleType

import pytest

INDEX = "https://index.example/simple/pip/"


@pytest.fixture
def dev(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ModuleType:
    """The script, without pip's settings of this machine."""
    for name in ("PIP_INDEX_URL", "PIP_CERT"):
        monkeypatch.delenv(name, raising=False)
    loader = SourceFileLoader("dev", str(Path(__file__).parents[1] / "dev"))
    spec = importlib.util.spec_from_loader("dev", loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    loader.exec_module(module)
    monkeypatch.setattr(module, "pip_configuration_files", lambda: [tmp_path / "pip.conf"])
    return module


def check_wheel(dev: ModuleType, listing: str, address: str, digest: str = "") -> None:
    assert dev.newest_wheel(INDEX, listing) == (address, digest)


def test_help_names_every_command(dev: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert dev.main([]) == 0
    described = [line.split()[0] for line in capsys.readouterr().out.splitlines()[2:]]
    assert described == list(dev.COMMANDS)
    assert {"lint", "serve", "test", "bench", "fix", "docs"} <= set(described)


def test_unknown_command(dev: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert dev.main(["lnit"]) == 2
    assert "no command 'lnit'" in capsys.readouterr().err


def test_newest_release_is_taken(dev: ModuleType) -> None:
    listing = """
        <a href="pip-9.0.3-py2.py3-none-any.whl#sha256=0">pip-9.0.3-py2.py3-none-any.whl</a>
        <a href="pip-24.0-py3-none-any.whl#sha256=1">pip-24.0-py3-none-any.whl</a>
        <a href="pip-24.10-py3-none-any.whl#sha256=2" data-requires-python="&gt;=3.8">pip</a>
        <a href="pip-24.9-py3-none-any.whl#sha256=3">pip-24.9-py3-none-any.whl</a>
        <a href="pip-25.0b1-py3-none-any.whl#sha256=4">a pre-release</a>
        <a href="pip-25.0-py3-none-any.whl#sha256=5" data-yanked="broken">withdrawn</a>
        <a href="pip-26.0.tar.gz#sha256=6">no wheel</a>
    """
    check_wheel(dev, listing, f"{INDEX}pip-24.10-py3-none-any.whl", "2")


def test_links_may_lead_elsewhere(dev: ModuleType) -> None:
    check_wheel(
        dev,
        "<a rel='internal' href='../../files/a&amp;b/pip-24.0-py3-none-any.whl'>pip</a>",
        "https://index.example/files/a&b/pip-24.0-py3-none-any.whl",
    )


def test_index_without_pip(dev: ModuleType) -> None:
    with pytest.raises(ValueError, match="no wheel of pip"):
        dev.newest_wheel(INDEX, "<a href='pip-24.0.tar.gz'>pip</a>")


def test_settings_come_from_the_environment_first(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "pip.conf").write_text("[global]\nindex-url = https://from.file/%20\n")
    assert dev.pip_setting("index-url") == "https://from.file/%20"
    assert dev.pip_setting("cert") is None
    monkeypatch.setenv("PIP_INDEX_URL", "https://from.environment")
    assert dev.pip_setting("index-url") == "https://from.environment"


def test_settings_of_pip_install_are_stronger(dev: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "pip.conf").write_text("[global]\ncert = a\n[install]\ncert = b\n")
    assert dev.pip_setting("cert") == "b"


def test_wheel_is_fetched_and_compared(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    name = "pip-24.0-py3-none-any.whl"
    digest = hashlib.sha256(b"wheel").hexdigest()
    pages = {INDEX: f"<a href='{name}#sha256={digest}'>".encode(), INDEX + name: b"wheel"}
    monkeypatch.setenv("PIP_INDEX_URL", INDEX.removesuffix("pip/"))
    monkeypatch.setattr(dev, "VENV", tmp_path)
    monkeypatch.setattr(dev, "download", pages.__getitem__)
    assert dev.fetch_pip().read_bytes() == b"wheel"
    pages[INDEX + name] = b"another"
    with pytest.raises(dev.SetupError, match="damaged"):
        dev.fetch_pip()


def test_index_out_of_reach(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(_address: str) -> bytes:
        raise OSError("connection refused")

    def create(_extra: str) -> None:
        dev.fetch_pip()

    monkeypatch.setenv("PIP_INDEX_URL", "https://me:secret@index.example/simple")
    monkeypatch.setattr(dev, "download", refuse)
    monkeypatch.setattr(dev, "install", create)
    assert dev.main(["lint"]) == 3
    message = capsys.readouterr().err
    assert "https://index.example/simple/pip/ failed: connection refused" in message
    assert "python3-venv" in message
    assert "secret" not in message


class Listing(BaseHTTPRequestHandler):
    """A package index that only one user may see."""

    def do_GET(self) -> None:
        login = base64.b64encode(b"me@home:se/cret").decode()
        self.send_response(200 if self.headers["Authorization"] == f"Basic {login}" else 401)
        self.end_headers()
        self.wfile.write(self.path.encode())

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Keeps the requests out of the test's output."""


def test_login_of_an_index(dev: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with HTTPServer(("127.0.0.1", 0), Listing) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        place = f"127.0.0.1:{server.server_port}/simple/pip/"
        assert dev.download(f"http://me%40home:se%2Fcret@{place}") == b"/simple/pip/"
        with pytest.raises(OSError, match="401"):
            dev.download(f"http://{place}")
        server.shutdown()


def test_old_python_without_a_newer_one(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(dev.sys, "version_info", (3, 9, 2))
    monkeypatch.setattr(dev.shutil, "which", lambda _name: None)
    assert dev.main(["lint"]) == 3
    assert "needs Python 3.11 or newer, but python3 is 3.9.2" in capsys.readouterr().err


def test_old_python_starts_the_newest(dev: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[list[str]] = []
    monkeypatch.setattr(dev.sys, "version_info", (3, 9, 2))
    newer = {"python3.11": "/bin/python3.11", "python3.13": "/bin/python3.13"}
    monkeypatch.setattr(dev.shutil, "which", newer.get)

    def start(program: str, _arguments: list[str]) -> None:
        started.append([program])
        raise SystemExit

    monkeypatch.setattr(dev.os, "execv", start)
    with pytest.raises(SystemExit):
        dev.main(["lint"])
    assert started == [["/bin/python3.13"]]


def test_an_extra_is_installed_once_per_project_file(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    commands: list[list[str]] = []
    python = tmp_path / "python"
    python.touch()
    project = tmp_path / "pyproject.toml"
    project.write_text("one")
    monkeypatch.setattr(dev, "ROOT", tmp_path)
    monkeypatch.setattr(dev, "PYTHON", python)
    monkeypatch.setattr(dev, "STAMP", tmp_path / "stamp")
    monkeypatch.setattr(dev, "check", commands.append)
    monkeypatch.setattr(dev, "provide_pip", lambda: None)

    for extra in ("dev", "dev", "", "bench"):
        dev.install(extra)
    assert [command[-1] for command in commands] == [f"{tmp_path}[dev]", f"{tmp_path}[bench]"]
    project.write_text("two")
    dev.install("")
    dev.install("dev")
    assert [command[-1] for command in commands[2:]] == [f"{tmp_path}", f"{tmp_path}[dev]"]


def test_a_moved_folder_starts_over(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    created: list[bool] = []
    (tmp_path / "python").touch()
    stamp = {"": dev.fingerprint(), "place": "/elsewhere/.venv"}
    (tmp_path / "stamp").write_text(json.dumps(stamp))
    monkeypatch.setattr(dev, "PYTHON", tmp_path / "python")
    monkeypatch.setattr(dev, "STAMP", tmp_path / "stamp")
    monkeypatch.setattr(dev, "check", lambda _command: None)
    monkeypatch.setattr(dev, "provide_pip", lambda: None)
    monkeypatch.setattr(dev, "create_venv", lambda: created.append(True))
    dev.install("")
    assert created == [True]
