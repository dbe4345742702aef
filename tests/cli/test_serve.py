import argparse

import pytest

from ptx_ls.cli.main import main
from ptx_ls.cli.serve import address


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
    message = "argument --tcp: `host` is no HOST:PORT; `ptx-ls serve --help` tells more"
    assert capsys.readouterr().err == f"ptx-ls: {message}\n"


def test_one_channel_only() -> None:
    assert main(["serve", "--stdio", "--tcp", "1"]) == 2
