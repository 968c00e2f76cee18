" Vim with ALE opens a file, shows what is found, makes the fix and renames a server in three files:
"   ROOT=… SERVER=… vim -Nu NONE -i NONE -n -es -S ale.vim </dev/null
let g:ale_linters_explicit = 1 | let g:ale_linters = {'json': ['mcplumb']} | let g:answers = ['1', 'manual']
set hidden
packadd ale | filetype on
cd $ROOT
source $VIM_SETTINGS
runtime autoload/ale/util.vim
function! ale#util#Input(...)
  return remove(g:answers, 0)
endfunction
function! Comma()
  return filter(copy(getloclist(0)), 'v:val.text =~# "comma"')
endfunction
function! Wait(what, condition)
  for i in range(3000)
    if eval(a:condition)
      return
    endif
    sleep 20m
  endfor
  call writefile(['vim: no ' . a:what], '/dev/stderr')
  cquit!
endfunction
execute 'edit' $ROOT . '/.mcp.json' | setfiletype json | ALELint
call Wait('diagnostics', '!empty(Comma())')
call cursor(Comma()[0].lnum, Comma()[0].col)
ALECodeAction
call Wait('fix', '!search("},\\n  }", "nw")')
call cursor(1, 1)
call search('"docs"')
normal! l
call ale#rename#Execute()
call Wait('rename', 'search("\"manual\"", "nw")')
wall
qall!
