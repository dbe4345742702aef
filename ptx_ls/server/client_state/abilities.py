"""The abilities of a client on which the answer to `initialize` depends."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ptx_ls.source.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_ENCODINGS: Final = ("utf-16", "utf-8", "utf-32")
"""The position encodings that the server supports; the default first."""
_FILE_OPERATIONS: Final = {
    "didCreate": "did_create",
    "didRename": "did_rename",
    "didDelete": "did_delete",
}


class ClientAbilities(NamedTuple):
    """The abilities of a client.

    Attributes:
        position_encoding: the first position encoding in the client's list that is supported.
        pulls_diagnostics: whether it should pull diagnostics, so that none are pushed.
        registers_diagnostics: whether the capability may be registered later, and unregistered.
        registers_hints: the same for inlay hints.
        registers_lenses: the same for code lenses.
        registers_saving: the same for requests before a document is saved.
        announces_saving: whether it can send notifications before a save; None if it does not say.
        waits_for_saving: whether it can send requests before a save; None if it does not say.
        prepares_rename: whether it asks what would be renamed.
        file_operations: the operations on files that it reports.
        token_types: the types of semantic tokens that it lists.
    """

    position_encoding: str
    pulls_diagnostics: bool
    registers_diagnostics: bool
    registers_hints: bool
    registers_lenses: bool
    registers_saving: bool
    announces_saving: bool | None
    waits_for_saving: bool | None
    prepares_rename: bool
    file_operations: tuple[str, ...]
    token_types: tuple[str, ...]

    @classmethod
    def of(cls, capability: Callable[[str], Any]) -> ClientAbilities:
        """Reads the capabilities of a client.

        `capability` returns one by its path in the style of Python, as in
        `text_document.code_lens`; None if it is missing.
        """
        saving = "text_document.synchronization"
        listed = capability("general.position_encodings") or ()
        return cls(
            position_encoding=next(
                (own for sent in listed for own in _ENCODINGS if sent == own), _ENCODINGS[0]
            ),
            pulls_diagnostics=_pulls_diagnostics(capability),
            registers_diagnostics=_registers(capability, "text_document.diagnostic"),
            registers_hints=_registers(capability, "text_document.inlay_hint"),
            registers_lenses=_registers(capability, "text_document.code_lens"),
            registers_saving=_registers(capability, saving),
            announces_saving=capability(f"{saving}.will_save"),
            waits_for_saving=capability(f"{saving}.will_save_wait_until"),
            prepares_rename=capability("text_document.rename.prepare_support") is True,
            file_operations=tuple(
                name
                for name, path in _FILE_OPERATIONS.items()
                if capability(f"workspace.file_operations.{path}") is True
            ),
            token_types=tuple(capability("text_document.semantic_tokens.token_types") or ()),
        )

    @classmethod
    def of_json(cls, sent: Mapping[str, Any]) -> ClientAbilities:
        """Reads capabilities as they are sent; they have to be valid."""

        def capability(path: str) -> Any:  # noqa: ANN401
            found: Any = sent
            for name in path.split("."):
                first, *words = name.split("_")
                found = found.get(first + "".join(map(str.capitalize, words)))
                if found is None:
                    return None
            return found

        return cls.of(capability)


def _registers(capability: Callable[[str], Any], feature: str) -> bool:
    return capability(f"{feature}.dynamic_registration") is True


def _pulls_diagnostics(capability: Callable[[str], Any]) -> bool:
    """Whether a client should pull diagnostics.

    A client that cannot be asked to pull again would show stale ones after a change of settings,
    until the next edit. So it gets pushed diagnostics, if it accepts them.
    """
    if capability("text_document.diagnostic") is None:
        return False
    can_refresh = capability("workspace.diagnostics.refresh_support") is True
    return can_refresh or capability("text_document.publish_diagnostics") is None
