// Places of a report, which counts lines and code points from 1, in texts of JavaScript, which
// counts UTF-16 units.

// offsetIn returns a function of a line and a column; a place outside of the text becomes
// its end. A byte order mark is not a column.
export function offsetIn(text) {
  const lines = text.split("\n");
  const starts = [];
  let at = 0;
  for (const line of lines) {
    starts.push(at);
    at += line.length + 1;
  }
  const columns = new Map(); // offsets of the columns of a line
  const columnsOf = (line) => {
    if (!columns.has(line)) {
      const offsets = [];
      let offset = line === 1 && text.startsWith("\ufeff") ? 1 : 0;
      for (const character of lines[line - 1].slice(offset)) {
        offsets.push(offset);
        offset += character.length;
      }
      columns.set(line, [...offsets, offset]);
    }
    return columns.get(line);
  };
  return (line, column) => {
    if (line > lines.length) return text.length;
    const offsets = columnsOf(line);
    return starts[line - 1] + offsets[Math.min(column, offsets.length) - 1];
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
