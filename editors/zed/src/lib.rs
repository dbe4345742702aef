//! Tells Zed how to start ptx-ls.

use zed_extension_api::{self as zed, settings::LspSettings};

struct PtxExtension;

impl zed::Extension for PtxExtension {
    fn new() -> Self {
        PtxExtension
    }

    /// The program in the settings (`lsp.ptx-ls.binary`), or else `ptx-ls` on the PATH.
    fn language_server_command(
        &mut self,
        server: &zed::LanguageServerId,
        worktree: &zed::Worktree,
    ) -> zed::Result<zed::Command> {
        let binary = LspSettings::for_worktree(server.as_ref(), worktree)
            .ok()
            .and_then(|settings| settings.binary);
        let (path, arguments) = match binary {
            Some(binary) => (binary.path, binary.arguments),
            None => (None, None),
        };
        let command = path
            .or_else(|| worktree.which("ptx-ls"))
            .ok_or("ptx-ls was not found on the PATH: install it with `pipx install ptx-ls`")?;
        Ok(zed::Command {
            command,
            args: arguments.unwrap_or_else(|| vec!["serve".into()]),
            env: worktree.shell_env(),
        })
    }

    /// The settings below `lsp.ptx-ls.settings`, in the form that the server requests.
    fn language_server_workspace_configuration(
        &mut self,
        server: &zed::LanguageServerId,
        worktree: &zed::Worktree,
    ) -> zed::Result<Option<zed::serde_json::Value>> {
        let settings = LspSettings::for_worktree(server.as_ref(), worktree)?;
        Ok(settings.settings)
    }
}

zed::register_extension!(PtxExtension);
