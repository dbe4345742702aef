import argparse
from pathlib import Path

import pytest

from ptx_ls.cli.commands.serve import address
from ptx_ls.cli.main import main


def check_address(text: str, host: str, port: int) -> None:
    assert address(text) == (host, port)


def check_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        address(text)


@pytest.mark.parametrize(
    ("text", "host", "port"),
    [
        ("localhost:2087", "localhost", 2087),
        ("0.0.0.0:0", "0.0.0.0", 0),  # noqa: S104  # read, not bound
        ("[::1]:2087", "::1", 2087),
        (":2087", "127.0.0.1", 2087),
        ("2087", "127.0.0.1", 2087),
    ],
)
def test_address(text: str, host: str, port: int) -> None:
    check_address(text, host, port)


@pytest.mark.parametrize("text", ["", "host", "host:", "host:x", "host:-1", "1:65536", "1:²"])
def test_no_address(text: str) -> None:
    check_refused(text)


def test_wrong_address_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--tcp", "host"]) == 2
    found = "expected HOST:PORT with a port up to 65535, found `host`"
    message = f"argument --tcp: {found}; see `ptx-ls serve --help`"
    assert capsys.readouterr().err == f"ptx-ls: {message}\n"


def test_one_channel_only() -> None:
    assert main(["serve", "--stdio", "--tcp", "1"]) == 2


def check_usage(capsys: pytest.CaptureFixture[str], message: str, *options: str) -> None:
    """Checks that nothing is started, and that one line says why."""
    assert main(["serve", *options]) == 2
    assert capsys.readouterr().err == f"ptx-ls: {message}; see `ptx-ls serve --help`\n"


@pytest.mark.parametrize("channel", ["--tcp", "--ws"])
@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.0.1", "127.evil.example"])  # noqa: S104
def test_other_machines_need_a_flag(
    capsys: pytest.CaptureFixture[str], channel: str, host: str
) -> None:
    message = f"other machines can reach {host}; add --allow-remote to allow that"
    check_usage(capsys, message, channel, f"{host}:0")


def test_tokens_that_are_none(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "token"
    message = f"the token in {path} needs 16 or more ASCII characters"
    for text in ("", "short", "\n a-token-of-24-characters", "é" * 20, "a" * 20 + "\0"):
        path.write_text(text, encoding="utf-8")
        check_usage(capsys, message, "--ws", "0", "--token-file", str(path))
    missing = tmp_path / "missing"
    message = f"cannot read {missing}: No such file or directory"
    check_usage(capsys, message, "--ws", "0", "--token-file", str(missing))


def test_origins_that_are_none(capsys: pytest.CaptureFixture[str]) -> None:
    for text in ("*", "example.com", "null", "https://example.com/", "https://*.example.com"):
        message = (
            f"argument --allow-origin: `{text}` is not an origin such as https://example.com:8080"
        )
        check_usage(capsys, message, "--ws", "0", "--allow-origin", text)


def test_options_on_who_may_connect_need_a_port(capsys: pytest.CaptureFixture[str]) -> None:
    for options in (["--allow-remote"], ["--folder", "."], ["--token-file", "x"]):
        check_usage(
            capsys,
            "--allow-remote, --token-file, --allow-origin and --folder need --tcp or --ws",
            *options,
        )
