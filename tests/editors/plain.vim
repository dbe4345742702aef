" Colours PTX_FILE and indents PTX_FLAT in Vim or Neovim, without a server.
function! s:note(step, value) abort
  call writefile([json_encode({'step': a:step, 'value': a:value})], $PTX_FACTS, 'a')
endfunction

function! s:groups() abort
  let l:lines = []
  for l:line in range(1, line('$'))
    call add(l:lines, map(range(1, strlen(getline(l:line))),
          \ {_, column -> synIDattr(synID(l:line, column, 1), 'name')}))
  endfor
  return l:lines
endfunction

edit $PTX_FILE
call s:note('filetype', &filetype)
call s:note('colours', s:groups())
call s:note('comment', &commentstring)
call search('\$done')
call s:note('word', expand('<cword>'))

edit $PTX_FLAT
normal! gg=G
call s:note('indented', join(getline(1, '$'), "\n") . "\n")
call s:note('errors', v:errmsg)
qall!
