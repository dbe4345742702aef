-- Types into a second Neovim as a user does, and writes what is seen there to PTX_FACTS.
-- nvim --headless -u NONE -i NONE -S neovim.lua
local facts = assert(io.open(vim.env.PTX_FACTS, "w"))
local child = vim.fn.jobstart(
  { vim.v.progpath, "--embed", "--headless", "-n", "-i", "NONE", vim.env.PTX_FILE },
  { rpc = true }
)

local function note(step, value)
  facts:write(vim.fn.json_encode({ step = step, value = value }), "\n")
  facts:flush()
end

local function lua(code, ...)
  return vim.rpcrequest(child, "nvim_exec_lua", code, { ... })
end

local function type_in(keys)
  vim.rpcrequest(child, "nvim_input", keys)
end

local function await(what, is_done)
  local last
  local done = vim.wait(25000, function()
    last = is_done()
    return last and last ~= vim.NIL
  end, 30)
  if not done then
    local is_free = not vim.rpcrequest(child, "nvim_get_mode").blocking
    error("waited for " .. what .. (is_free and ": " .. lua("return vim.fn.execute('messages')") or ""))
  end
  return last
end

local function await_lua(what, code)
  return await(what, function() return lua("return " .. code) end)
end

local function mode()
  return vim.rpcrequest(child, "nvim_get_mode").mode
end

-- Puts the cursor on the first place of a text.
local function go_to(text)
  lua([[
    local lines = vim.api.nvim_buf_get_lines(0, 0, -1, false)
    for number, line in ipairs(lines) do
      local column = line:find(..., 1, true)
      if column then
        vim.api.nvim_win_set_cursor(0, { number, column - 1 })
        return
      end
    end
    error("not found: " .. ...)
  ]], text)
end

local DIAGNOSTICS = [[
  return vim.tbl_map(function(it)
    local line = vim.api.nvim_buf_get_lines(0, it.lnum, it.lnum + 1, false)[1]
    return { it.lnum + 1, line:sub(it.col + 1, it.end_col), it.message }
  end, vim.diagnostic.get(0))
]]
local FLOAT = [[(function()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= "" then
      return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), "\n")
    end
  end
end)()]]
local TEXT = [[table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n") .. "\n"]]

local function session()
  note("filetype", await_lua("file type", "vim.bo.filetype ~= '' and vim.bo.filetype"))
  await_lua("attach", "vim.bo.omnifunc:find('lsp') and 1")
  await_lua("diagnostics", "#vim.diagnostic.get(0) > 0")
  note("diagnostics", lua(DIAGNOSTICS))

  go_to("%tid")
  type_in("K")
  note("hover", await_lua("hover", FLOAT))
  type_in("j")
  await_lua("end of hover", "not " .. FLOAT)

  go_to("$done")
  type_in("<C-]>")
  await_lua("definition", "vim.fn.line('.') == 22")
  note("definition", lua("return { vim.fn.line('.'), vim.fn.col('.') - 1 }"))

  type_in("grr")
  await_lua("references", "#vim.fn.getqflist() > 0 or #vim.fn.getloclist(0) > 0")
  note("references", lua([[
    local list = vim.fn.getqflist()
    list = #list > 0 and list or vim.fn.getloclist(0)
    return vim.tbl_map(function(it) return it.lnum end, list)
  ]]))
  lua("vim.cmd('cclose | lclose')")

  go_to("$done")
  type_in("grn")
  await("prompt for a name", function() return mode() == "c" end)
  type_in("<C-u>$finish<CR>")
  await_lua("rename", "vim.fn.search('^$finish:', 'nw') > 0 or vim.fn.search('^\\\\$finish:', 'nw') > 0")
  note("rename", lua([[
    return vim.tbl_filter(function(line) return line:find("$finish", 1, true) end,
      vim.api.nvim_buf_get_lines(0, 0, -1, false))
  ]]))
  type_in("u")
  await_lua("undo of rename", "vim.fn.search('finish', 'nw') == 0")

  go_to("add.u64")
  type_in("o<C-u>\tadd.u64 %rd1, %rd1, %rd8;<Esc>")
  await_lua("second diagnostic", "#vim.diagnostic.get(0) == 2")
  note("broken", lua("return #vim.diagnostic.get(0)"))
  type_in("dd")
  await_lua("first diagnostic alone", "#vim.diagnostic.get(0) == 1")
  note("mended", lua("return #vim.diagnostic.get(0)"))

  go_to("add.u64")
  type_in("o<C-u>\tfma.rn.f<C-x><C-o>")
  await_lua("completion", "vim.fn.pumvisible() == 1")
  note("completion", lua([[
    return vim.tbl_map(function(it) return it.abbr ~= "" and it.abbr or it.word end,
      vim.fn.complete_info({ "items" }).items)
  ]]))
  type_in("<C-e><Esc>dd")
  await_lua("end of completion", "vim.fn.search('fma', 'nw') == 0")

  if lua("return vim.lsp.semantic_tokens ~= nil") then
    go_to("mov.u32")
    note("token", await_lua("semantic tokens", "(vim.lsp.semantic_tokens.get_at_pos() or {})[1]").type)
    note("registers", lua([[
      local found = {}
      for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, -1, 0, -1, { details = true })) do
        local name = mark[4].hl_group
        if type(name) == "string" and name:find("^ptx.*Register$") then
          found[name] = vim.api.nvim_get_hl(0, { name = name }).link
        end
      end
      return found
    ]]))
  end

  local before = lua("return " .. TEXT)
  type_in("gggqG")
  await("formatting", function() return lua("return " .. TEXT) ~= before end)
  note("formatted", lua("return " .. TEXT))
  note("errors", lua("return vim.v.errmsg"))
end

local is_right, message = xpcall(session, debug.traceback)
if not is_right then
  io.stderr:write(message, "\n")
end
pcall(vim.rpcnotify, child, "nvim_input", "<C-\\><C-n>:qall!<CR>")
local is_gone = vim.fn.jobwait({ child }, 15000)[1] == 0
if not is_gone then
  io.stderr:write("Neovim did not end\n")
  vim.fn.jobstop(child)
end
facts:close()
vim.cmd(is_right and is_gone and "qall!" or "cquit 1")
