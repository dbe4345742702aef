" Comments, words and indentation of PTX.
if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal comments=s1:/*,mb:*,ex:*/,://
setlocal commentstring=//\ %s
setlocal formatoptions-=t formatoptions+=croql
" A register, a label and an identifier are each one word: %rd1, $L__BB0_2.
setlocal iskeyword=@,48-57,_,$,%
setlocal expandtab shiftwidth=4 softtabstop=4
setlocal suffixesadd=.ptx

let b:undo_ftplugin = 'setlocal comments< commentstring< formatoptions< iskeyword<'
      \ . ' expandtab< shiftwidth< softtabstop< suffixesadd<'
