import pytest

from tests.server.client import URI, Client, Message, edit

pytestmark = pytest.mark.slow

HEADER = ".version 8.0\n.target sm_80\n.address_size 64\n"
GOOD = HEADER + ".entry k()\n{\n\tret;\n}\n"
BAD = GOOD.replace("ret", "rat")
PULLING: Message = {"textDocument": {"diagnostic": {}}}
REFRESHING: Message = {**PULLING, "workspace": {"diagnostics": {"refreshSupport": True}}}
PUBLISH = "textDocument/publishDiagnostics"


def session(capabilities: Message | None = None, limit: int = 1000) -> Client:
    client = Client()
    settings = {"diagnostics": {"delay": 1, "limit": limit}}
    client.initialize(capabilities or {}, initializationOptions=settings)
    return client


def pull(client: Client, previous: str | None = None, uri: str = URI) -> Message:
    params = {"textDocument": {"uri": uri}, "previousResultId": previous}
    report = client.request("textDocument/diagnostic", params)
    assert isinstance(report, dict)
    return report


def rules(diagnostics: list[Message]) -> list[tuple[int, str]]:
    return [(it["range"]["start"]["line"], it.get("code", "")) for it in diagnostics]


def check_published(client: Client, version: int | None, *expected: tuple[int, str]) -> None:
    """Checks the next diagnostics that are pushed."""
    params = client.notification(PUBLISH)
    assert params["uri"] == URI
    assert params.get("version") == version
    assert rules(params["diagnostics"]) == list(expected)


def check_pulled(client: Client, *expected: tuple[int, str], previous: str | None = None) -> str:
    """Checks that a pull gives diagnostics other than the previous ones, and returns its id."""
    while "resultId" not in (report := pull(client, previous)):
        pass  # on a slow machine, the check takes longer than the server lets a client wait
    assert report["kind"] == "full"
    assert rules(report["items"]) == list(expected)
    result_id = report["resultId"]
    assert isinstance(result_id, str)
    assert result_id != previous
    return result_id


UNKNOWN = (5, "unknown-opcode")


def test_diagnostics_are_pushed_when_a_document_is_opened_edited_and_closed() -> None:
    with session() as client:
        client.open(BAD)
        check_published(client, 0, UNKNOWN)
        client.change(1, edit((5, 2), (5, 3), "e"))
        check_published(client, 1)
        client.change(2, edit((0, 0), (0, 0), "\n"), edit((6, 2), (6, 3), "a"))
        check_published(client, 2, (6, "unknown-opcode"))
        client.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
        check_published(client, None)
        assert client.leave() == 0


def test_a_diagnostic_names_its_rule_and_the_page_of_it() -> None:
    with session() as client:
        client.open(BAD)
        (found,) = client.notification(PUBLISH)["diagnostics"]
        assert found["source"] == "ptx-ls"
        assert found["severity"] == 1
        assert found["codeDescription"]["href"].endswith("/rules/unknown-opcode")
        assert "`rat`" in found["message"]


@pytest.mark.parametrize("shows", [None, True, False])
def test_what_is_related_is_told_in_the_message_if_the_client_shows_it_nowhere_else(
    *, shows: bool | None
) -> None:
    publish = {} if shows is None else {"relatedInformation": shows}
    with session({"textDocument": {"publishDiagnostics": publish}}) as client:
        client.open(GOOD + GOOD.removeprefix(HEADER))
        (found,) = client.notification(PUBLISH)["diagnostics"]
        first, *more = found["message"].split("\n")
        assert "`k`" in first
        related = [it["message"] for it in found.get("relatedInformation", ())]
        assert (len(more), len(related)) == ((1, 0) if shows is False else (0, 1))
        assert all(it.startswith("line 4: ") for it in more)


def test_what_is_pulled_is_not_pushed() -> None:
    with session(PULLING) as client:
        client.open(BAD)
        check_pulled(client, UNKNOWN)
        client.change(1, edit((5, 2), (5, 3), "e"))
        check_pulled(client)
        assert client.leave() == 0
        assert client.unread == []


def test_a_pull_after_nothing_new_says_so() -> None:
    with session(PULLING) as client:
        client.open(BAD)
        first = check_pulled(client, UNKNOWN)
        assert pull(client, first) == {"kind": "unchanged", "resultId": first}
        client.change(1, edit((5, 5), (5, 5), " // and"))
        assert pull(client, first) == {"kind": "unchanged", "resultId": first}
        client.change(2, edit((0, 0), (0, 0), "\n"))  # the same rule, on another line
        second = check_pulled(client, (6, "unknown-opcode"), previous=first)
        client.change(3, edit((6, 2), (6, 3), "e"))
        third = check_pulled(client, previous=second)
        assert pull(client, third)["kind"] == "unchanged"
        check_pulled(client, previous=first)


def test_ids_of_a_document_that_was_closed_are_forgotten() -> None:
    with session(PULLING) as client:
        client.open(BAD)
        first = check_pulled(client, UNKNOWN)
        client.notify("textDocument/didClose", {"textDocument": {"uri": URI}})
        assert pull(client, first) == {"kind": "full", "items": []}
        client.open(BAD)
        check_pulled(client, UNKNOWN, previous=first)


def test_a_pull_waits_for_the_diagnostics_of_the_present_text() -> None:
    with session(PULLING) as client:
        client.open(GOOD)
        for version in range(1, 20):
            letter = "ea"[version % 2]
            client.change(version, edit((5, 2), (5, 3), letter))
            check_pulled(client, *[UNKNOWN] * (version % 2))


def test_columns_are_in_the_units_of_the_client() -> None:
    text = HEADER + '.entry k() { .pragma "😀é"; rat; }'
    for encoding, column in (("utf-8", 31), ("utf-16", 28), ("utf-32", 27)):
        capabilities = {**PULLING, "general": {"positionEncodings": [encoding]}}
        with session(capabilities) as client:
            client.open(text)
            found = next(it for it in pull(client)["items"] if it["code"] == "unknown-opcode")
            assert found["range"]["start"] == {"line": 3, "character": column}
            assert found["range"]["end"] == {"line": 3, "character": column + 3}


def test_no_more_diagnostics_than_the_limit_are_shown_and_that_is_said() -> None:
    with session(limit=10) as client:
        client.open(BAD.replace("\trat;\n", "\trat;\n" * 11))
        found = client.notification(PUBLISH)["diagnostics"]
        assert [it.get("code") for it in found] == ["unknown-opcode"] * 10 + [None]
        assert found[-1]["message"].startswith("1 more diagnostic is not shown")
        assert "ptx.diagnostics.limit" in found[-1]["message"]
        client.change(1, edit((5, 0), (6, 0), ""))
        assert len(client.notification(PUBLISH)["diagnostics"]) == 10


def test_settings_that_change_apply_to_open_documents() -> None:
    ignore = {"settings": {"ptx": {"lint": {"ignore": ["unknown-opcode"]}}}}
    with session() as client:
        client.open(BAD)
        check_published(client, 0, UNKNOWN)
        client.notify("workspace/didChangeConfiguration", ignore)
        check_published(client, 0)
    with session(REFRESHING) as client:
        client.open(BAD)
        first = check_pulled(client, UNKNOWN)
        client.notify("workspace/didChangeConfiguration", ignore)
        client.server_request("workspace/diagnostic/refresh")
        check_pulled(client, previous=first)


def test_settings_are_asked_of_a_client_that_has_them() -> None:
    given = {"workspace/configuration": lambda _params: [{"lint": {"ignore": ["unknown-opcode"]}}]}
    workspace = {"configuration": True, "didChangeConfiguration": {"dynamicRegistration": True}}
    with Client(answers=given) as client:
        client.initialize({"workspace": workspace})
        client.open(BAD)
        client.server_request("workspace/configuration")
        assert client.asked == ["client/registerCapability", "workspace/configuration"]
        # Documents that were open before the answer are checked again.
        found = client.notification(PUBLISH)["diagnostics"]
        assert found == [] or client.notification(PUBLISH)["diagnostics"] == []


@pytest.mark.parametrize("wrong", [{"diagnostics": {"delay": "soon"}}, {"no": {"such": 1}}])
def test_a_wrong_setting_is_shown_once_and_logged_always(wrong: Message) -> None:
    with Client() as client:
        client.initialize(initializationOptions=wrong)
        for _ in range(2):
            assert "`ptx." in client.notification("window/logMessage")["message"]
            client.notify("workspace/didChangeConfiguration", {"settings": {"ptx": wrong}})
        shown = client.notification("window/showMessage")
        assert shown["type"] == 2
        assert shown["message"].startswith("ptx-ls: ")
        assert client.leave() == 0
        assert "window/showMessage" not in [message["method"] for message in client.unread]


def test_sync_by_whole_texts() -> None:
    with session() as client:
        client.open(BAD)
        check_published(client, 0, UNKNOWN)
        client.change(1, {"text": GOOD})
        check_published(client, 1)
        client.change(2, {"text": ""})
        check_published(client, 2, (0, "module-header"))


def test_documents_do_not_mix() -> None:
    other = "file:///c%3A/other.ptx"
    with session(PULLING) as client:
        client.open(BAD)
        client.open(GOOD, other)
        assert rules(pull(client)["items"]) == [UNKNOWN]
        assert rules(pull(client, uri=other)["items"]) == []
        client.change(1, edit((5, 2), (5, 3), "a"), uri="file:///C:/other.ptx")
        assert rules(pull(client)["items"]) == [UNKNOWN]


TYPED = f"{HEADER}.entry k()\n{{\n\t.reg .b32 %r<3>;\n\tmov.b32 %r1, %r2;\n\t\n\tret;\n}}\n"
OF_TYPED = ((6, "unused-result"), (6, "unset-register"))
"""The diagnostics of `TYPED`, which has a blank line after them."""


def test_other_lines_keep_their_diagnostics_while_one_is_typed() -> None:
    with session() as client:
        client.open(TYPED)
        check_published(client, 0, *OF_TYPED)
        client.change(1, edit((7, 1), (7, 1), "m"))
        check_published(client, 1, *OF_TYPED, (7, "syntax-error"))
        client.change(2, edit((7, 1), (7, 2), "brkpt;"))
        check_published(client, 2, *OF_TYPED)


def test_other_lines_are_pushed_after_a_pause() -> None:
    with session() as client:
        client.open(TYPED)
        check_published(client, 0, *OF_TYPED)
        client.change(1, edit((5, 14), (5, 15), "1"))
        check_published(client, 1, *OF_TYPED)
        check_published(client, 1, (6, "undeclared-register"))


def test_a_client_that_pulls_is_asked_to_pull_after_a_pause() -> None:
    with session(REFRESHING) as client:
        client.open(TYPED)
        first = check_pulled(client, *OF_TYPED)
        client.change(1, edit((5, 14), (5, 15), "1"))
        while (report := pull(client, first))["kind"] != "unchanged":
            assert not report["items"]  # on a slow machine, they are not known yet
        client.server_request("workspace/diagnostic/refresh")
        assert (6, "undeclared-register") in rules(pull(client)["items"])


def test_other_lines_are_pulled_at_once_if_the_client_cannot_be_asked_again() -> None:
    with session(PULLING) as client:
        client.open(TYPED)
        check_pulled(client, *OF_TYPED)
        client.change(1, edit((5, 14), (5, 15), "1"))
        assert (6, "undeclared-register") in rules(pull(client)["items"])
