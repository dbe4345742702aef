" Author: The ptx-ls developers
" Description: ptx-ls for PTX, as a language server or as a linter
call ale#Set('ptx_ls_executable', 'ptx-ls')
" 1: the server, for hovers, completion and navigation, too. 0: `ptx-ls lint` only.
call ale#Set('ptx_ls_server', 1)

let s:severities = {'error': 'E', 'warning': 'W', 'information': 'I', 'hint': 'I'}

" Converts a column in characters to a column in bytes; both start at 1.
function! s:bytes(buffer, line, column) abort
  let l:text = get(getbufline(a:buffer, a:line), 0, '')
  let l:bytes = byteidx(l:text, a:column - 1)
  return (l:bytes < 0 ? len(l:text) : l:bytes) + 1
endfunction

" Converts the output of `ptx-ls lint --output-format json` to the form that ALE expects.
function! ale_linters#ptx#ptx_ls#Handle(buffer, lines) abort
  return map(json_decode(empty(a:lines) ? '[]' : join(a:lines, "\n")), {_, each -> {
        \ 'lnum': each.line,
        \ 'col': s:bytes(a:buffer, each.line, each.column),
        \ 'end_lnum': each.end_line,
        \ 'end_col': s:bytes(a:buffer, each.end_line, each.end_column) - 1,
        \ 'type': s:severities[each.severity],
        \ 'code': each.rule,
        \ 'text': each.message,
        \ }})
endfunction

" The nearest directory with .git, else that of the file.
function! ale_linters#ptx#ptx_ls#Root(buffer) abort
  let l:git = ale#path#FindNearestDirectory(a:buffer, '.git')
  return empty(l:git) ? expand('#' . a:buffer . ':p:h') : fnamemodify(l:git, ':h:h')
endfunction

function! s:miss(program) abort
  echohl WarningMsg
  echomsg a:program . ' was not found: run `pipx install .` in its checkout, or set its path'
  echohl None
endfunction

" ALE ignores a missing program, and hides messages of this file while it reads it.
let s:program = ale#Var(bufnr(''), 'ptx_ls_executable')
if !executable(s:program)
  call timer_start(0, {-> s:miss(s:program)})
endif

if ale#Var(bufnr(''), 'ptx_ls_server')
  call ale#linter#Define('ptx', {
        \ 'name': 'ptx_ls',
        \ 'lsp': 'stdio',
        \ 'executable': {buffer -> ale#Var(buffer, 'ptx_ls_executable')},
        \ 'command': '%e serve',
        \ 'project_root': function('ale_linters#ptx#ptx_ls#Root'),
        \ })
else
  call ale#linter#Define('ptx', {
        \ 'name': 'ptx_ls',
        \ 'executable': {buffer -> ale#Var(buffer, 'ptx_ls_executable')},
        \ 'command': '%e lint --quiet --fail-on never --output-format json --stdin-filename %s -',
        \ 'callback': 'ale_linters#ptx#ptx_ls#Handle',
        \ })
endif
