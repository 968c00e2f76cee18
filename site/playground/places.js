// Places of a report, which counts lines and code points from 1, in texts of JavaScript, which
// counts UTF-16 units.

// offsetIn returns a function of a line and a column; what is outside of the text becomes its
// end. A byte order mark is no column.
export function offsetIn(text) {
  const lines = text.split("\n");
  const starts = [];
  let at = 0;
  for (const line of lines) {
    starts.push(at);
    at += line.length + 1;
  }
  return (line, column) => {
    if (line > lines.length) return text.length;
    const own = lines[line - 1];
    const skipped = line === 1 && own.startsWith("\ufeff") ? 1 : 0;
    let offset = skipped;
    for (let i = 1; i < column && offset < own.length; i++) offset += own.codePointAt(offset) > 0xffff ? 2 : 1;
    return starts[line - 1] + offset;
  };
}

// edited returns the files that the edits of a fix change, as they are then, by their paths.
export function edited(textOf, edits) {
  const changed = new Map();
  for (const path of new Set(edits.map((edit) => edit.path))) {
    const text = textOf(path) ?? "";
    const offset = offsetIn(text);
    const spans = edits
      .filter((edit) => edit.path === path)
      .map((edit) => ({ from: offset(edit.line, edit.column), to: offset(edit.endLine, edit.endColumn), text: edit.text }))
      .reverse() // from the end on, so that places in front stay
      .sort((a, b) => b.from - a.from);
    changed.set(path, spans.reduce((now, span) => now.slice(0, span.from) + span.text + now.slice(span.to), text));
  }
  return changed;
}
