"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const D = JSON.parse($("data").textContent), T = D.texts, sum = D.summary;
  // Every value becomes text: nothing here writes HTML.
  const el = (tag, set, ...inside) => {
    const e = Object.assign(document.createElement(tag), set);
    e.append(...inside);
    return e;
  };
  const number = (n) => n.toLocaleString("en");
  const day = 864e5, now = Date.now();

  // The rows of each view, by the words that a search can name.
  const repos = D.repositories.map(([name, url, commit, time, failed, read, count]) => ({
    repository: T[name], url: T[url], commit: T[commit], time: T[time].slice(0, 10), failed: T[failed], read: T[read], servers: count, errors: 0, warnings: 0,
    owner: T[name].split("/")[1] || "",
    age: T[time] ? Math.max(0, Math.floor((now - Date.parse(T[time])) / day)) : -1,
  }));
  // What is known of some is of before: they could not be read this time.
  const lastRead = repos.reduce((last, r) => (r.read > last ? r.read : last), "");
  for (const r of repos) r.is = r.failed && !r.commit ? "failed" : r.failed ? "failed older" : r.read < lastRead ? "older" : "";
  // The host that most repositories have is not shown.
  const hosts = new Map();
  for (const r of repos) hosts.set(r.repository.split("/")[0], (hosts.get(r.repository.split("/")[0]) || 0) + 1);
  const host = [...hosts].reduce((most, at) => (at[1] > most[1] ? at : most), ["", 0])[0] + "/";
  const short = (name) => (name.startsWith(host) ? name.slice(host.length) : name);
  const none = { repository: "", owner: "", time: "", age: -1, read: "" };
  const placed = (repo, path, line, row) => Object.assign(row, {
    repository: repo.repository, owner: repo.owner, time: repo.time, age: repo.age, read: repo.read, path, line,
    place: path + (line ? ":" + line : ""),
    href: /^https?:\/\//.test(repo.url) && repo.commit && path
      ? repo.url + "/blob/" + repo.commit + "/" + path.split("/").map(encodeURIComponent).join("/") + (line ? "#L" + line : "") : "",
  });
  const exactly = (field, text) => field + ':"' + text.replaceAll('"', '""') + '"';
  const searched = (field, text, also, value) => "#servers?" + new URLSearchParams({ q: exactly(field, text) + (also ? " " + exactly(also, value) : "") });
  const malicious = "malicious-package", grades = ["error", "warning", "note"], bits = ["disabled", "unpinned", "new", "first"];
  const states = (set) => (set ? bits.filter((_, i) => set >> i & 1).join(" ") : "");
  const split = (identity) => {
    const [, kind, rest] = /^([a-z]+):(.*)$/s.exec(identity) || [, "", ""];
    return {
      kind, package: /^(npm|pypi|nuget|go|jsr|git)$/.test(kind) ? rest : "", image: kind === "oci" ? rest : "",
      host: kind === "url" ? rest.replace(/^\w+:\/\//, "").replace(/[/?:].*/s, "") : "",
    };
  };
  const kinds = new Map();
  const kindOf = (n) => kinds.get(n) || kinds.set(n, split(T[n])).get(n);
  const servers = D.servers.map(([r, name, runs, identity, version, client, rule, path, line, set]) =>
    placed(repos[r], T[path], line, Object.assign({
      name: T[name], runs: T[runs], identity: T[identity], version: T[version], client: T[client], rule: T[rule],
      is: states(set),
    }, kindOf(identity))));
  const pages = new Map(D.rules.map(([rule, page]) => [T[rule], T[page]]));
  const scores = new Map(D.rules.map(([rule, , score]) => [T[rule], score]));
  const forms = new Map(D.rules.map(([rule, , , form]) => [T[rule], T[form]]));
  const findings = D.findings.map(([r, rule, severity, message, name, identity, path, line, places, set, print]) => {
    if (T[severity] !== "note") repos[r][T[severity] + "s"]++;
    return placed(repos[r], T[path], line, Object.assign({
      rule: T[rule], severity: T[severity], message: T[message], name: T[name], runs: T[identity], identity: T[identity], places, is: states(set),
      form: forms.get(T[rule]) && forms.get(T[rule]) + (T[print] && "&fingerprint=" + encodeURIComponent(T[print])),
    }, kindOf(identity)));
  });
  findings.sort((a, b) => (b.rule === malicious) - (a.rule === malicious) || grades.indexOf(a.severity) - grades.indexOf(b.severity) ||
    (scores.get(b.rule) || 0) - (scores.get(a.rule) || 0));
  for (const r of repos) r.href = searched("repository", r.repository);
  // What is local to a repository is another server in each that has it.
  const usages = D.usages.map(([identity, own, count, inRepos, unpinned, versions, spread, names, called]) => ({
    identity: T[identity], runs: T[identity] + (own ? " in " + short(T[own]) : ""), count, repos: inRepos, unpinned, versions, spread: T[spread], names, called: T[called],
    href: own ? searched("identity", T[identity], "repository", T[own]) : searched("identity", T[identity]), ...kindOf(identity),
  }));
  const org = D.org.map(([rule, severity, message, inRepos, name, identity, ...places]) => ({
    rule: T[rule], severity: T[severity], message: T[message], repos: inRepos, name: T[name], identity: T[identity],
    repository: places.filter((_, i) => i % 3 === 0).map((r) => repos[r].repository).join(" "),
    href: T[rule] === "org-name-conflict" ? searched("name", T[name]) : searched("identity", T[identity].split(" ")[0]),
  }));
  const problems = D.problems.map(([r, path, message]) => placed(repos[r] || none, T[path], 0, {
    message: T[message], shown: r < 0 || path || !repos[r].failed ? "" : !repos[r].commit ? "nothing" : "as known " + (repos[r].read ? "on " + repos[r].read : "before"),
  }));
  const changes = (D.changes || []).map(([what, r, repository, name, runs, identity, before, version, path, line]) =>
    Object.assign(placed(repos[r] || none, T[path], line, { what: T[what], name: T[name], runs: T[runs], identity: T[identity], before: T[before], version: T[version] }),
      kindOf(identity), { repository: T[repository], owner: T[repository].split("/")[1] || "" }));
  const secrets = findings.filter((f) => f.rule === "hardcoded-secret").sort((a, b) => b.age - a.age);
  const unapproved = findings.filter((f) => f.rule === "unapproved-server");

  // Columns: heading, share of the width, class.
  const columns = {
    name: ["Name", 12], runs: ["Runs", 21, "c"], version: ["Version", 9, "c"], client: ["Clients", 12], repository: ["Repository", 20],
    place: ["Place", 18, "c"], rule: ["Rules", 22], is: ["State", 9], severity: ["Severity", 13], message: ["Message", 60], repos: ["Repositories", 8, "n"],
    count: ["Entries", 7, "n"], versions: ["Versions", 7, "n"], spread: ["Version × repositories", 34, "c"], unpinned: ["Not pinned in", 8, "n"],
    names: ["Names", 7, "n"], called: ["Name × repositories", 40], age: ["Days ago", 8, "n"], time: ["Commit", 10],
    servers: ["Servers", 7, "n"], places: ["Places", 7, "n"], errors: ["Errors", 7, "n"], warnings: ["Warnings", 7, "n"], read: ["Read", 9], failed: ["Why it could not be read", 30], shown: ["Shown", 14],
    what: ["Change", 11], before: ["Before", 9, "c"], path: ["Path", 20, "c"],
  };
  const views = [ // what is wrong comes first
    ["findings", "Findings", findings, "severity rule message runs repository place" + (D.changes ? " is" : ""), "owner severity rule is"],
    ["servers", "Servers", servers, "name runs version client repository place rule is", "owner client kind rule is"],
    ["versions", "Versions", usages.filter((u) => u.versions || u.unpinned), "runs versions spread unpinned repos", "kind"],
    ["names", "Names", usages, "runs names called repos count", "kind"],
    ["organization", "Across repositories", org, "rule severity message repos", "rule"],
    ["secrets", "Secrets", secrets, "time age message places repository place", "owner is", "a row for each credential of a repository, however many servers and files have it; a place for each time it is written"],
    ["unapproved", "Not approved", unapproved, "name runs message repository place", "owner"],
    ["problems", "Not read", problems, "repository path message shown", ""],
    ["changes", "New and gone", changes, "what name runs before version repository place", "what"],
    ["repositories", "Repositories", [...repos].sort((a, b) => b.errors - a.errors || b.warnings - a.warnings), "repository servers errors warnings time read failed", "owner is"],
  ].filter(([id, , rows]) => rows.length || id === "servers" || id === "changes" && D.changes)
    .map(([id, title, rows, shown, filters, about]) => ({ id, title, rows, about, columns: shown.split(" "), filters: filters.split(" ").filter(Boolean) }));

  // State: all of it is in the address.
  let view, state, list = [], current = 0, timer;
  const read = () => {
    const [id, query] = location.hash.slice(1).split(/\?(.*)/s);
    view = views.find((v) => v.id === id) || views[0];
    state = Object.fromEntries(new URLSearchParams(query || ""));
    current = Math.max(0, (parseInt(state.row, 10) || 1) - 1);
  };
  const write = () => {
    clearTimeout(timer);
    const from = location.hash;
    timer = setTimeout(() => {
      if (location.hash !== from) return; // a link was followed since
      const kept = Object.entries(state).filter(([, value]) => value);
      const query = kept.length ? "?" + new URLSearchParams(kept) : "";
      history.replaceState(null, "", "#" + view.id + query);
    }, 250);
  };

  // A search: words and "several words" that are all in a row, FIELD:word in one field,
  // FIELD:"text" all of it. In quotes "" is a quote; what is not closed yet goes to the end.
  const fields = ["name", "package", "image", "host", "kind", "identity", "runs", "version", "repository", "owner", "client", "rule", "path", "is", "severity", "message", "what", "read"];
  const lower = (text) => String(text ?? "").toLowerCase();
  const quoted = '"((?:[^"]|"")*)("?)';
  const words = new RegExp("([a-z]+):(?:" + quoted + "|(\\S*))|" + quoted + "|(\\S+)", "g");
  const tests = (query) => [...lower(query).matchAll(words)].map(([, key, exact, closed, part, phrase, , word]) => {
    const field = key === "repo" ? "repository" : key;
    const text = part ?? word ?? (exact ?? phrase).replaceAll('""', '"');
    if (!fields.includes(field)) return (row) => row.all.includes(key ? key + ":" + text : text);
    return closed ? (row) => lower(row[field]) === text : (row) => lower(row[field]).includes(text);
  });
  const has = (row, field, value) => (" " + row[field] + " ").includes(" " + value + " ");
  const find = () => {
    const wanted = tests(state.q);
    const chosen = view.filters.filter((f) => state[f]);
    for (const row of view.rows) row.all ??= lower([...view.columns, "owner", "identity"].map((c) => row[c]).join("\n"));
    list = view.rows.filter((row) => chosen.every((f) => has(row, f, state[f])) && wanted.every((test) => test(row)));
    if (view.columns.includes(state.sort)) {
      const way = state.desc ? -1 : 1;
      const keyed = list.map((row) => [typeof row[state.sort] === "number" ? row[state.sort] : lower(row[state.sort]), row]);
      keyed.sort(([a], [b]) => (a < b ? -way : a > b ? way : 0));
      list = keyed.map(([, row]) => row);
    }
    current = Math.min(current, Math.max(0, list.length - 1));
  };

  // The table: only the rows that can be seen are there.
  const height = 32, box = $("box"), head = document.querySelector("thead"), body = document.querySelector("tbody"), table = document.querySelector("table");
  const cell = (row, name) => {
    const value = row[name], whole = typeof value === "number" ? (value < 0 ? "" : number(value)) : value;
    const text = name === "repository" ? short(whole) : whole;
    const td = el("td", { title: whole, className: (columns[name][2] || "") + (name === "severity" ? " " + text : "") });
    const leads = ["place", "runs", "message", "repository"].find((c) => view.columns.includes(c));
    if (name === "rule") {
      const ids = text.split(" ");
      td.append(...ids.flatMap((id, i) => [i ? " " : "", pages.has(id) ? el("a", { href: pages.get(id), textContent: id }) : id]));
    } else td.append(name === leads && row.href ? el("a", { href: row.href, textContent: text }) : text);
    return td;
  };
  const gap = (size) => {
    const tr = el("tr", { ariaHidden: "true" }, el("td", { className: "pad", colSpan: view.columns.length }));
    tr.firstChild.style.height = size + "px";
    return tr;
  };
  const draw = () => {
    const shown = Math.ceil(box.clientHeight / height) + 8;
    const from = Math.max(0, Math.min(Math.floor(box.scrollTop / height) - 4, list.length - shown));
    const to = Math.min(list.length, from + shown);
    const focused = document.activeElement.closest("tr[data-row]");
    body.replaceChildren(gap(from * height), ...list.slice(from, to).map((row, i) => {
      const tr = el("tr", {}, ...view.columns.map((name) => cell(row, name)));
      tr.setAttribute("aria-rowindex", from + i + 2);
      if (from + i === current) tr.setAttribute("aria-current", "true");
      tr.dataset.row = from + i;
      return tr;
    }), gap((list.length - to) * height));
    if (focused) (body.querySelector('tr[data-row="' + focused.dataset.row + '"] a') || box).focus({ preventScroll: true });
  };
  // What the cells of the current row cut off stands below the table.
  const tell = () => {
    const row = list[current];
    const shown = row ? view.columns.filter((c) => row[c] !== "" && row[c] !== undefined).map((c) => columns[c][0] + ": " + row[c]).join(" · ") : "";
    $("row").replaceChildren(shown, ...(row && row.form ? [" · ", el("a", { href: row.form, textContent: "Is it wrong?" })] : []));
  };
  const go = (to) => {
    current = Math.max(0, Math.min(to, list.length - 1));
    state.row = current ? String(current + 1) : "";
    const top = current * height, room = box.clientHeight - 2 * height;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (top > box.scrollTop + room) box.scrollTop = top - room;
    draw();
    tell();
    write();
  };
  const heads = () => head.replaceChildren(el("tr", {}, ...view.columns.map((name) => {
    const [title, width, kind] = columns[name];
    const arrow = state.sort === name ? (state.desc ? " ▾" : " ▴") : "";
    const th = el("th", { scope: "col", className: kind === "n" ? kind : "" }, el("button", { type: "button", textContent: title + arrow, onclick: () => {
      [state.sort, state.desc] = state.sort !== name ? [name, ""] : state.desc ? ["", ""] : [name, "1"];
      changed();
      [...head.querySelectorAll("button")][view.columns.indexOf(name)].focus();
    } }));
    th.style.width = width + "%";
    if (arrow) th.setAttribute("aria-sort", state.desc ? "descending" : "ascending");
    return th;
  })));
  const show = () => {
    find();
    heads();
    table.setAttribute("aria-rowcount", list.length + 1);
    table.setAttribute("aria-label", view.title);
    $("count").textContent = number(list.length) + " of " + number(view.rows.length) + " · " + view.title + (view.about ? ": " + view.about : "");
    draw();
    tell();
  };
  // After another search or order the first row is the current one.
  const changed = () => {
    state.row = "";
    current = 0;
    box.scrollTop = 0;
    show();
    write();
  };
  const filter = (field) => {
    if (!view.options) view.options = {};
    view.options[field] ??= [...view.rows.reduce((counts, row) => {
      for (const word of String(row[field] || "").split(" ")) if (word) counts.set(word, (counts.get(word) || 0) + 1);
      return counts;
    }, new Map())].sort((a, b) => b[1] - a[1]).slice(0, 200);
    const select = el("select", { onchange: () => { state[field] = select.value; changed(); } }, el("option", { value: "", textContent: "all" }),
      ...view.options[field].map(([word, n]) => el("option", { value: word, textContent: word + " (" + number(n) + ")" })));
    select.value = state[field] || "";
    return el("label", {}, { what: "Change", is: "State" }[field] || field[0].toUpperCase() + field.slice(1), " ", select);
  };
  const open = () => {
    clearTimeout(timer);
    read();
    $("q").value = state.q || "";
    for (const a of $("views").children) a.hash === "#" + view.id ? a.setAttribute("aria-current", "page") : a.removeAttribute("aria-current");
    // What all rows have is no choice.
    $("filters").replaceChildren(...view.filters.map((f) => [f, filter(f)]).filter(([f]) => state[f] || view.options[f].some(([, n]) => n < view.rows.length)).map(([, label]) => label));
    const known = fields.filter((f) => view.rows[0] && f in view.rows[0]).map((f) => f + ":").join(" ");
    $("hint").textContent = "Search for words in any field. To search in one field: " + known + " before a word, or FIELD:\"…\" for its whole text.";
    show();
    if (current) go(current);
    else box.scrollTop = 0;
    document.title = "MCP servers · " + view.title;
  };

  // What stands on top.
  const moved = D.moved ? D.moved[0] : null;
  const newest = repos.reduce((last, r) => (r.time > last ? r.time : last), "");
  const repositories = (n) => number(n) + (n === 1 ? " repository" : " repositories");
  $("sub").textContent = repositories(sum.repositories) + " · " + (lastRead ? "read on " + lastRead + " · " : "") + "newest commit " + (newest || "unknown") + " · " + D.tool +
    (moved ? " · since the previous report " + repositories(moved[0]) + " new, " + number(moved[1]) + " gone; " + number(moved[2]) + (moved[2] === 1 ? " finding" : " findings") + " new, " + number(moved[3]) + " gone" + (T[moved[4]] && " (most of it was mcplumb " + T[moved[4]] + ": findings may be new since the rules are)") : "");
  const older = repos.filter((r) => has(r, "is", "older"));
  if (older.length) {
    const days = [...new Set(older.map((r) => r.read))].sort();
    $("sub").append(" · ", el("a", { href: "#repositories?is=older", textContent: number(older.length) + (older.length === 1 ? " is" : " are") + " shown as known before" }),
      days[0] ? days.length > 1 ? ", from " + days[0] + " to " + days.at(-1) : ", on " + days[0] : "");
  }
  const of = (what) => changes.filter((c) => has(c, "what", what)).length;
  $("cards").append(...[
    ["Malicious packages", sum.malicious, "#findings?rule=" + malicious, "bad"],
    ["Servers", sum.servers, "#servers"], ["Different servers", sum.identities, "#names"], ["Not pinned", sum.unpinned, "#servers?is=unpinned", "warn"],
    ["Errors", sum.findings.error, "#findings?severity=error", "bad"], ["Warnings", sum.findings.warning, "#findings?severity=warning", "warn"],
    ...(D.changes ? [["New errors and warnings", findings.filter((f) => f.is).length, "#findings?is=new", "warn"]] : []),
    ["Secrets", secrets.length, "#secrets", "bad"], ["Not approved", unapproved.length, "#unapproved", "bad"],
    ["Names in conflict", org.filter((f) => f.rule === "org-name-conflict").length, "#organization?rule=org-name-conflict", "warn"],
    ["Servers with several names", org.filter((f) => f.rule === "org-alias-drift").length, "#organization?rule=org-alias-drift"],
    ["Packages at several versions", org.filter((f) => f.rule === "org-version-spread").length, "#organization?rule=org-version-spread"],
    ["Not read", problems.length, "#problems", "bad"],
    ...(D.changes ? [["New", of("new"), "#changes?what=new"], ["Gone", of("gone"), "#changes?what=gone"]] : []),
  ].filter(([title, n, href]) => views.some((v) => href.slice(1).split("?")[0] === v.id) && (n || title === "Servers"))
    .map(([title, n, href, kind]) => el("li", {}, el("a", { href, className: kind || "" }, el("b", { textContent: number(n) }), title))));
  $("views").append(...views.map((v) => el("a", { href: "#" + v.id, textContent: v.title })));

  // What people do.
  $("q").oninput = () => { state.q = $("q").value; changed(); };
  $("find").onsubmit = (e) => { e.preventDefault(); box.focus(); };
  box.onscroll = () => requestAnimationFrame(draw);
  box.onclick = (e) => {
    const tr = e.target.closest("tr[data-row]");
    if (tr && !e.target.closest("a")) { box.focus({ preventScroll: true }); go(+tr.dataset.row); }
  };
  onresize = draw;
  onhashchange = open;
  onkeydown = (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const inField = /^(INPUT|SELECT)$/.test(e.target.tagName), page = Math.max(1, Math.floor(box.clientHeight / height) - 2);
    const steps = { ArrowDown: current + 1, ArrowUp: current - 1, PageDown: current + page, PageUp: current - page, Home: 0, End: list.length - 1 };
    if (e.key === "Escape" && e.target === $("q")) {
      $("q").value = state.q = "";
      changed();
    } else if (e.key === "ArrowDown" && e.target === $("q")) box.focus();
    else if (inField) return;
    else if (e.key === "/") $("q").select();
    else if (e.key >= "1" && views[e.key - 1]) location.hash = views[e.key - 1].id;
    else if (e.target === box && e.key in steps) go(steps[e.key]);
    else if (e.target === box && e.key === "Enter" && list[current] && list[current].href) {
      const a = body.querySelector("tr[aria-current] a");
      if (a) a.click();
    } else return;
    e.preventDefault();
  };
  open();
})();
