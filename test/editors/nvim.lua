-- Neovim opens a file, shows what is found, makes the fix and renames a server in three files:
--   ROOT=… SERVER=… nvim --headless -u NONE -i NONE -n -c 'luafile nvim.lua'
local root = vim.env.ROOT
local function fail(what) io.stderr:write('nvim: no ' .. what .. '\n'); vim.cmd('cquit 1') end
local function wait(what, f) if not vim.wait(60000, f, 20) then fail(what) end end
local function text() return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n') end
local function comma()
  for _, d in ipairs(vim.diagnostic.get(0)) do if d.code == 'strict-json' then return d end end
end
vim.o.hidden = true
vim.cmd('edit ' .. root .. '/.mcp.json')
local id = vim.lsp.start_client({ cmd = { vim.env.SERVER, 'lsp' }, root_dir = root, on_exit = function(code) vim.g.left = code end })
vim.lsp.buf_attach_client(0, id)
wait('diagnostics', function() return comma() ~= nil end)
vim.api.nvim_win_set_cursor(0, { comma().lnum + 1, comma().col })
vim.ui.select = function(items, _, done) done(items[1], 1) end -- the menu: the fix comes first
vim.lsp.buf.code_action()
wait('fix', function() return not text():find('},\n  }') end)
wait('diagnostics of the fixed text', function() return comma() == nil end)
vim.fn.search('"docs"')
vim.cmd('normal! l')
vim.lsp.buf.rename('manual')
wait('rename', function() return text():find('"manual"') and vim.fn.bufnr(root .. '/.claude/settings.json') > 0 end)
vim.cmd('silent wall')
vim.lsp.get_client_by_id(id).stop()
wait('exit', function() return vim.g.left ~= nil end)
if vim.g.left ~= 0 then fail('exit code 0') end
vim.cmd('qall!')
