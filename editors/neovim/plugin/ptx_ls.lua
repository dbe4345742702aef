-- Starts ptx-ls for every PTX file: with lsp/ptx_ls.lua in Neovim 0.11, directly in 0.7 to 0.10.
if vim.g.loaded_ptx_ls then
  return
end
vim.g.loaded_ptx_ls = 1

local group = vim.api.nvim_create_augroup("ptx_ls", {})

-- Neovim 0.11 does not report that it could not start a server.
local function is_there(command)
  if vim.fn.executable(command) == 1 then
    return true
  end
  local advice = " was not found: run `pipx install .` in its checkout, or set its path"
  vim.notify_once(command .. advice, vim.log.levels.WARN)
  return false
end

-- The contents of a register determine its colour; the first entry that applies is used.
local registers = {
  { "address", "ptxAddressRegister", "Special" },
  { "predicate", "ptxPredicateRegister", "Conditional" },
  { "float", "ptxFloatRegister", "String" },
  { "integer", "ptxIntegerRegister", "Identifier" },
}

if vim.fn.exists("##LspTokenUpdate") == 1 then
  for _, register in ipairs(registers) do
    vim.api.nvim_set_hl(0, register[2], { link = register[3], default = true })
  end
  vim.api.nvim_create_autocmd("LspTokenUpdate", {
    group = group,
    callback = function(update)
      local token = update.data.token
      if token.type ~= "variable" or vim.bo[update.buf].filetype ~= "ptx" then
        return
      end
      for _, register in ipairs(registers) do
        if token.modifiers[register[1]] then
          vim.lsp.semantic_tokens.highlight_token(token, update.buf, update.data.client_id, register[2])
          return
        end
      end
    end,
  })
end

if vim.lsp.enable then
  vim.api.nvim_create_autocmd("FileType", {
    group = group,
    pattern = "ptx",
    callback = function()
      local command = vim.lsp.config.ptx_ls.cmd
      local is_wanted = not vim.lsp.is_enabled or vim.lsp.is_enabled("ptx_ls")
      if is_wanted and type(command) == "table" then
        is_there(command[1])
      end
    end,
  })
  vim.lsp.enable("ptx_ls")
  return
end

local config = dofile(vim.api.nvim_get_runtime_file("lsp/ptx_ls.lua", false)[1])
local actions = {
  K = vim.lsp.buf.hover,
  gri = vim.lsp.buf.implementation,
  grn = vim.lsp.buf.rename,
  grr = vim.lsp.buf.references,
  gra = vim.lsp.buf.code_action,
  gO = vim.lsp.buf.document_symbol,
  ["<C-W>d"] = vim.diagnostic.open_float,
  ["]d"] = vim.diagnostic.goto_next,
  ["[d"] = vim.diagnostic.goto_prev,
}

-- The keys and options that Neovim 0.11 sets by itself.
local function on_attach(_, buffer)
  vim.bo[buffer].omnifunc = "v:lua.vim.lsp.omnifunc"
  vim.bo[buffer].tagfunc = "v:lua.vim.lsp.tagfunc"
  vim.bo[buffer].formatexpr = "v:lua.vim.lsp.formatexpr()"
  for key, action in pairs(actions) do
    vim.keymap.set("n", key, function() action() end, { buffer = buffer })
  end
  vim.keymap.set("i", "<C-s>", vim.lsp.buf.signature_help, { buffer = buffer })
end

-- The nearest directory above a file that contains one of the markers.
local function root_of(file)
  local folder = vim.fn.fnamemodify(file, ":h")
  while folder ~= vim.fn.fnamemodify(folder, ":h") do
    for _, marker in ipairs(config.root_markers) do
      if vim.fn.isdirectory(folder .. "/" .. marker) + vim.fn.filereadable(folder .. "/" .. marker) > 0 then
        return folder
      end
    end
    folder = vim.fn.fnamemodify(folder, ":h")
  end
end

local clients = {} -- by root; only Neovim 0.7 needs this to share a client between files of one root

local function start(buffer, settings)
  if vim.lsp.start then
    vim.lsp.start(settings, { bufnr = buffer })
    return
  end
  local root = settings.root_dir or ""
  settings.on_exit = function(code)
    clients[root] = nil
    if code ~= 0 then
      local where = "; its messages are in " .. vim.lsp.get_log_path()
      vim.schedule(function()
        vim.notify("ptx-ls ended with exit code " .. code .. where, vim.log.levels.ERROR)
      end)
    end
  end
  clients[root] = clients[root] or vim.lsp.start_client(settings)
  if clients[root] then
    vim.lsp.buf_attach_client(buffer, clients[root])
  end
end

vim.api.nvim_create_autocmd("FileType", {
  group = group,
  pattern = config.filetypes,
  callback = function(event)
    local mine = vim.g.ptx_ls or {} -- may contain `cmd` and `settings`
    local command = mine.cmd or config.cmd
    local root = root_of(vim.api.nvim_buf_get_name(event.buf))
    if is_there(command[1]) then
      start(event.buf, {
        name = "ptx_ls",
        cmd = command,
        settings = mine.settings,
        init_options = mine.settings, -- Neovim 0.7 sends settings only here
        root_dir = root,
        workspace_folders = root and { { uri = vim.uri_from_fname(root), name = root } } or nil,
        on_attach = on_attach,
      })
    end
  end,
})
