---@brief
---
--- Language server and linter for PTX, the assembly language of NVIDIA GPUs.
---
--- `ptx-ls` must be on the PATH; `pipx install ptx-ls` installs it there.
---
--- All settings are below `ptx`:
--- ```lua
--- vim.lsp.config("ptx_ls", { settings = { ptx = { inlayHints = { literals = false } } } })
--- ```

---@type vim.lsp.Config
return {
  cmd = { "ptx-ls", "serve" },
  filetypes = { "ptx" },
  root_markers = { ".git" },
}
