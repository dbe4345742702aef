" Uses ALE as a user does, and writes what it shows to PTX_FACTS.
let s:ends = 30.0 " seconds

function! s:note(step, value) abort
  call writefile([json_encode({'step': a:step, 'value': a:value})], $PTX_FACTS, 'a')
endfunction

function! s:await(what, test) abort
  let l:start = reltime()
  while !eval(a:test)
    if reltimefloat(reltime(l:start)) > s:ends
      call writefile(['waited for ' . a:what, execute('messages')], '/dev/stderr')
      cquit 1
    endif
    sleep 30m
  endwhile
endfunction

function! s:problems() abort
  return map(copy(getloclist(0)), {_, it -> [it.lnum,
        \ matchstr(getline(it.lnum), '\%' . it.col . 'c.*\%<' . (it.end_col + 2) . 'c'), it.text]})
endfunction

function! s:preview() abort
  return get(filter(map(getwininfo(), 'v:val.winid'), "getwinvar(v:val, '&previewwindow')"), 0)
endfunction

function! s:shown() abort
  return s:preview() ? join(getbufline(winbufnr(s:preview()), 1, '$'), "\n") : ''
endfunction

set hidden nomore
edit $PTX_FILE
call s:await('diagnostics', 'len(getloclist(0)) == 1')
call s:note('diagnostics', s:problems())

if exists('$PTX_SERVER')
  call search('%tid', 'w')
  ALEHover
  call s:await('hover', 'len(s:shown()) > 0')
  call s:note('hover', s:shown())
  call win_execute(s:preview(), 'close')

  call search('\$done', 'w')
  ALEGoToDefinition
  call s:await('definition', "line('.') == 22")
  call s:note('definition', [line('.'), col('.') - 1])

  ALEFindReferences -quickfix
  call s:await('references', '!empty(getqflist())')
  call s:note('references', map(getqflist(), {_, it -> it.lnum}))
  cclose
endif

call search('add\.u64', 'w')
call append('.', "\tadd.u64 %rd1, %rd1, %rd8;")
call ale#Queue(0)
call s:await('second diagnostic', 'len(getloclist(0)) == 2')
call s:note('broken', len(getloclist(0)))
.+1delete
call ale#Queue(0)
call s:await('first diagnostic alone', 'len(getloclist(0)) == 1')
call s:note('mended', len(getloclist(0)))
qall!
