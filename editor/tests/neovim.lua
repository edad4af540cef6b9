-- What somebody does in Neovim, done by a script: it opens a rules file, makes a mistake, mends it, renames, formats.
-- What it sees it writes into the file that the environment names, a line each.
local seen = {}
local function note(...)
  seen[#seen + 1] = table.concat({ ... }, " ")
end

local function wait(what, condition)
  if not vim.wait(60000, condition, 20) then
    error("waited in vain for " .. what)
  end
end

local function run()
  vim.cmd("edit " .. vim.env.RULES)
  local buffer = vim.api.nvim_get_current_buf()
  local client = vim.lsp.start_client({
    name = "trackwright",
    cmd = { vim.env.TRACKWRIGHT, "lsp" },
    root_dir = vim.fn.getcwd(),
  })
  vim.lsp.buf_attach_client(buffer, client)
  wait("the server", function()
    local one = vim.lsp.get_client_by_id(client)
    return one and one.initialized
  end)
  local function ask(method, params)
    local answers, why = vim.lsp.buf_request_sync(buffer, method, params, 60000)
    if not answers then
      error(method .. ": " .. tostring(why))
    end
    local answer = answers[client] or {}
    if answer.error or answer.err then
      return nil, (answer.error or answer.err).message
    end
    return answer.result
  end
  local function line_of(text)
    return vim.fn.search(text, "nw")
  end
  local function at(text)
    local line = vim.fn.search(text, "cw")
    vim.fn.cursor(line, vim.fn.col("."))
    return vim.lsp.util.make_position_params(0, "utf-16")
  end

  -- A mistake, typed; it is underlined without being saved.
  local line = line_of("points += n")
  vim.api.nvim_buf_set_lines(buffer, line - 1, line, false, { (vim.fn.getline(line):gsub("points", "pionts")) })
  wait("the mistake", function()
    return #vim.diagnostic.get(buffer) > 0
  end)
  local mistake = vim.diagnostic.get(buffer)[1]
  note("mistake", mistake.code, mistake.message:match("^[^\n]*"))
  note("column", mistake.col, "of", vim.fn.getline(mistake.lnum + 1):sub(mistake.col + 1, mistake.end_col))

  -- What mends it.
  vim.fn.cursor(mistake.lnum + 1, mistake.col + 1)
  local params = vim.lsp.util.make_range_params(0, "utf-16")
  params.context = { diagnostics = {} }
  local actions = ask("textDocument/codeAction", params)
  note("action", actions[1].title)
  vim.lsp.util.apply_workspace_edit(actions[1].edit, "utf-16")
  wait("no mistake", function()
    return #vim.diagnostic.get(buffer) == 0
  end)
  note("mended", vim.fn.getline(line))

  note("hover", (ask("textDocument/hover", at("points += n")).contents.value:gsub("\n", " ")))
  local found = ask("textDocument/definition", at("points += n"))
  note("declared in line", found[1].range.start.line + 1)
  local edit, why = ask("textDocument/rename", vim.tbl_extend("force", at("points += n"), { newName = "coins" }))
  assert(edit, why)
  vim.lsp.util.apply_workspace_edit(edit, "utf-16")
  note("renamed", vim.fn.getline(line_of("taken =")))

  vim.api.nvim_buf_set_lines(buffer, 0, 0, false, { "limit  =3" })
  local edits = ask("textDocument/formatting", { textDocument = vim.lsp.util.make_text_document_params(), options = { tabSize = 2, insertSpaces = true } })
  vim.lsp.util.apply_text_edits(edits or {}, buffer, "utf-16")
  note("formatted", vim.fn.getline(1))

  local offers = ask("textDocument/completion", at("+= n"))
  note("offers", #offers.items > 0 and "some" or "none")
  vim.lsp.stop_client(client)
  wait("the end", function()
    return vim.lsp.get_client_by_id(client) == nil or vim.lsp.get_client_by_id(client).is_stopped()
  end)
  note("ended")
end

local fine, why = pcall(run)
if not fine then
  note("failed", tostring(why))
end
vim.fn.writefile(seen, vim.env.SEEN)
vim.cmd("qall!")
