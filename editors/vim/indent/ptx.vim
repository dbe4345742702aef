" Indents PTX by braces and parentheses; labels are indented one level less.
if exists('b:did_indent')
  finish
endif
let b:did_indent = 1

setlocal indentexpr=PtxIndent(v:lnum)
setlocal indentkeys=0{,0},0),:,!^F,o,O
setlocal nosmartindent nolisp
let b:undo_indent = 'setlocal indentexpr< indentkeys< smartindent< lisp<'

if exists('*PtxIndent')
  finish
endif

" The line without strings and comments.
function! s:code(number) abort
  let l:text = substitute(getline(a:number), '"[^"]*"', '', 'g')
  let l:text = substitute(l:text, '/\*.\{-}\*/', '', 'g')
  return trim(substitute(l:text, '\(//\|/\*\).*$', '', ''))
endfunction

function! s:count(text, character) abort
  return len(split(a:text, a:character, 1)) - 1
endfunction

function! s:is_label(text) abort
  return a:text =~# '^[[:alpha:]_$%][[:alnum:]_$]*\s*:\($\|[^:]\)'
endfunction

function! PtxIndent(number) abort
  let l:above = prevnonblank(a:number - 1)
  if l:above == 0
    return 0
  endif
  let l:text = s:code(l:above)
  let l:here = s:code(a:number)
  let l:indent = indent(l:above)
  if s:is_label(l:text)
    let l:indent += shiftwidth()
  endif
  " A closing bracket at the start of a line has already moved that line.
  let l:opened = s:count(l:text, '{') + s:count(l:text, '(')
  let l:closed = s:count(substitute(l:text, '^[})]\+', '', ''), '[})]')
  let l:indent += (l:opened - l:closed) * shiftwidth()
  if l:here =~# '^[})]'
    let l:indent -= shiftwidth()
  elseif s:is_label(l:here)
    let l:indent -= shiftwidth()
  endif
  return max([l:indent, 0])
endfunction
