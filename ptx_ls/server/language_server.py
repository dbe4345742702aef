"""The server of one session: its handlers, and the state that they share.

Importing this imports nothing that can read PTX: the answer to `initialize` must not wait for that.
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.capabilities import get_capability

from ptx_ls.server.capabilities import initialize_result
from ptx_ls.server.client_state import settings
from ptx_ls.server.client_state.abilities import ClientAbilities
from ptx_ls.server.client_state.configuration import Configuration
from ptx_ls.server.client_state.parent_process import Watched, watched
from ptx_ls.server.client_state.registrations import Registrations
from ptx_ls.server.client_state.rights import OF_PARENT, Rights
from ptx_ls.server.methods import FEATURES, Feature
from ptx_ls.server.protocol.connection import Connection
from ptx_ls.server.scheduling.gc_policy import Pauses
from ptx_ls.server.scheduling.preload import LATE, preload
from ptx_ls.server.workspace.folders import Folders
from ptx_ls.source.printable import without_links

if TYPE_CHECKING:
    from ptx_ls.server.protocol.encoding import Encoded
    from ptx_ls.server.session import Session

_HANDLERS = "ptx_ls.server.handlers"
_SHOW_IMAGES = ("Visual Studio Code", "VSCodium", "Code - OSS", "code-server", "Cursor")
_PARENT_INTERVAL = 2.0  # seconds between two checks that the client still runs


class PtxServer:
    """The server of one client. Calls `on_end` with an exit code when the session ends.

    Attributes:
        connection: the connection to the client, with the handlers of its messages.
        client_capabilities: the capabilities of the client.
        abilities: those on which the answer to `initialize` depends.
        folders: the workspace folders of the client.
        configuration: the settings of the user.
        registrations: the capabilities that are registered only while they are useful.
        watches_parent: whether the session also ends when the process of the client does, which
            only makes sense if both run on one machine.
        is_running: whether requests may be sent to the client.
        shows_images: whether the client shows images in Markdown; LSP has no way to say so.
        rights: what the client may make the server do.
        is_restricted: whether the client reports that its user does not trust the workspace.
    """

    def __init__(
        self,
        on_end: Callable[[int], None],
        *,
        watches_parent: bool = False,
        rights: Rights = OF_PARENT,
    ) -> None:
        self._on_end = on_end
        self.connection = Connection(self.end, self._receive, self._close)
        self._pauses = Pauses(lambda: self.connection.is_answering)
        self.client_capabilities = types.ClientCapabilities()
        self.abilities = ClientAbilities.of_json({})
        self.folders = Folders()
        self.rights = rights
        self.is_restricted = False
        self.configuration = Configuration(self, self._reconfigure, self.warn)
        self.registrations = Registrations(self)
        self.watches_parent = watches_parent
        self.shows_images = False
        self.is_running = False
        self._shown: set[str] = set()
        self._parent_timer: asyncio.TimerHandle | None = None
        self._preloading: asyncio.Future[None] | None = None
        self._n_awaited = 0
        self._register()

    def _register(self) -> None:
        add = self.connection.features.add
        add(types.INITIALIZE, self._initialize)
        add(types.INITIALIZED, self._initialized)
        add(types.WORKSPACE_DID_CHANGE_CONFIGURATION, self._did_change_configuration)
        add(types.TEXT_DOCUMENT_DID_OPEN, self._did_open)
        add(types.TEXT_DOCUMENT_DID_CHANGE, self._did_change)
        add(types.TEXT_DOCUMENT_DID_CLOSE, self._did_close)
        add(types.TEXT_DOCUMENT_DIAGNOSTIC, self._diagnostic)
        for feature in FEATURES:
            add(feature.method, self._request(feature))

    def _request(self, feature: Feature) -> Callable[[Any], Any]:
        module, _, name = feature.handler.partition(".")

        def handle(params: Any) -> Any:  # noqa: ANN401
            function = getattr(importlib.import_module(f"{_HANDLERS}.{module}"), name)
            document = getattr(params, "text_document", None)
            if document is None:
                return function(self.session, params)
            opened = self.session.get(document.uri)
            return function(self.session, opened, params) if opened is not None else None

        async def handle_async(params: Any) -> Any:  # noqa: ANN401
            document = getattr(params, "text_document", None)
            self._n_awaited += document is not None
            try:
                if not feature.is_early:
                    await self.session.wait(document.uri if document is not None else None)
                await self.connection.pressure.room()
                result = handle(params)
                return await result if result is not None else None
            finally:
                self._n_awaited -= document is not None

        return handle_async if feature.is_async else handle

    @cached_property
    def session(self) -> Session:
        """The state of the open documents; if its modules cannot be imported, the server ends."""
        try:
            from ptx_ls.server.session import Session  # noqa: PLC0415  # see the module's docstring

            return Session(self)
        except Exception as error:
            # `initialize` was answered: without this, the user would see a file without errors.
            reason = f"this installation is damaged ({error}): install ptx-ls again"
            self._show_once(reason, types.MessageType.Error)
            self.end(1)
            raise

    def _receive(self) -> None:
        """Records that a message has arrived."""
        self._pauses.end()

    # Documents

    def _did_open(self, params: types.DidOpenTextDocumentParams) -> None:
        self.session.open(params.text_document)

    def _did_change(self, params: types.DidChangeTextDocumentParams) -> None:
        self.session.change(params.text_document, params.content_changes)

    def _did_close(self, params: types.DidCloseTextDocumentParams) -> None:
        self.session.close(params.text_document.uri)

    async def _diagnostic(self, params: types.DocumentDiagnosticParams) -> Encoded:
        await self.connection.pressure.room()
        return await self.session.report(params.text_document.uri, params.previous_result_id)

    # The life of a session

    def _initialize(self, params: types.InitializeParams) -> dict[str, Any]:
        self.client_capabilities = able = params.capabilities
        self.abilities = ClientAbilities.of(partial(get_capability, able))
        self.folders.begin(params)
        self.is_restricted, options = settings.split(params.initialization_options)
        self.configuration.take(options)
        client = params.client_info.name if params.client_info is not None else ""
        self.shows_images = client.startswith(_SHOW_IMAGES)
        if self.watches_parent and params.process_id is not None:
            self._watch(watched(params.process_id))
        result = initialize_result(self.abilities, self.configuration.in_use())
        self.registrations.begin(result["capabilities"])
        return result

    def _initialized(self, _params: types.InitializedParams) -> None:
        self.is_running = True
        self.registrations.update()
        self.configuration.ask()
        self._tell_of_unread_folders()
        # This runs while the client is busy starting, so that the first document opens fast.
        loop = asyncio.get_running_loop()
        loop.call_soon(getattr, self, "session")
        able = self.client_capabilities
        if get_capability(able, "text_document.semantic_tokens") is not None:
            loop.call_soon(importlib.import_module, f"{_HANDLERS}.semantic_tokens")
        self._preloading = asyncio.ensure_future(preload(self._tasks(), self.silence))

    def _tasks(self) -> Iterator[Callable[[], object]]:
        """Yields the tasks that can be done before requests come."""
        for module in dict.fromkeys(feature.handler.partition(".")[0] for feature in FEATURES):
            yield partial(importlib.import_module, f"{_HANDLERS}.{module}")
        for name in LATE:
            yield partial(importlib.import_module, name)
        for feature in FEATURES:
            yield partial(self.connection.converter.prepare, feature.method)

    def silence(self) -> float:
        """Returns the seconds since the last message; 0 while a document request is pending."""
        return 0.0 if self._n_awaited else self._pauses.silence()

    def _watch(self, client: Watched) -> None:
        if client.is_gone():
            self.end(1)
        else:
            loop = asyncio.get_running_loop()
            self._parent_timer = loop.call_later(_PARENT_INTERVAL, self._watch, client)

    def end(self, code: int) -> None:
        """Ends the session."""
        self._on_end(code)

    def _close(self) -> None:
        """Stops all background work."""
        if self._parent_timer is not None:
            self._parent_timer.cancel()
        if self._preloading is not None:
            self._preloading.cancel()
        if "session" in self.__dict__:
            self.session.end()

    # Settings and folders

    def change_folders(self, event: types.WorkspaceFoldersChangeEvent) -> None:
        """Records a change of the client's folders."""
        self.folders.change(event)
        self.session.set_folders()
        self.registrations.update()
        self.configuration.ask()
        self._tell_of_unread_folders()

    def _tell_of_unread_folders(self) -> None:
        """Warns a client on the network about folders that the server may not read for it."""
        for uri in self.folders.uris:
            if not self.rights.workspace([uri]):
                self.warn(
                    f"{uri} is not read, because it is not below a --folder of `ptx-ls serve`"
                )

    def _did_change_configuration(self, params: types.DidChangeConfigurationParams) -> None:
        if isinstance(params.settings, dict) and settings.SECTION in params.settings:
            self.configuration.take(params.settings)
        else:
            self.configuration.ask()

    def _reconfigure(self) -> None:
        if self.is_running:
            self.registrations.update()
        if "session" in self.__dict__:
            self.session.reconfigure()

    def warn(self, problem: str) -> None:
        """Logs a problem, such as a wrong setting, and shows it to the user if it is new.

        LSP allows both messages even before the response to `initialize`.
        """
        self.say(problem, types.MessageType.Warning)
        self._show_once(problem, types.MessageType.Warning)

    def _show_once(self, problem: str, kind: types.MessageType) -> None:
        if problem not in self._shown:
            self._shown.add(problem)
            self.show_message(problem, kind)

    def show_message(self, text: str, kind: types.MessageType) -> None:
        """Shows the user a message at once."""
        shown = without_links(f"ptx-ls: {text}")
        params = types.ShowMessageParams(kind, shown)
        self.connection.sender.notify(types.WINDOW_SHOW_MESSAGE, params)

    def say(self, message: str, kind: types.MessageType) -> None:
        """Writes a message to the editor's log."""
        params = types.LogMessageParams(kind, message)
        self.connection.sender.notify(types.WINDOW_LOG_MESSAGE, params)
