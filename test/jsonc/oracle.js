// Prints what jsonc-parser finds in documents: for every line {"text": …} on
// standard input one line with a list of
// [path, keyOffset, keyLength, offset, length, type], in document order and in
// bytes. Elements and the root have the key offset -1. A document that it
// refuses gives {"errors": …}.
'use strict';

const { parseTree } = require('jsonc-parser');

const byteOrderMark = '\ufeff';

// byteOffsets maps the offset of every UTF-16 code unit to the offset of its byte.
function byteOffsets(text) {
  const offsets = [];
  let bytes = 0;
  for (const character of text) {
    for (let i = 0; i < character.length; i++) offsets.push(bytes);
    bytes += Buffer.byteLength(character);
  }
  offsets.push(bytes);
  return offsets;
}

// flatten appends node and all nodes below it to rows.
function flatten(node, key, path, range, rows) {
  const [keyOffset, keyLength] = key ? range(key) : [-1, 0];
  rows.push([path, keyOffset, keyLength, ...range(node), node.type]);
  (node.children || []).forEach((child, index) => {
    if (node.type === 'object') {
      const [name, value] = child.children;
      flatten(value, name, [...path, name.value], range, rows);
    } else {
      flatten(child, null, [...path, index], range, rows);
    }
  });
}

function describe(text) {
  // VS Code takes the byte order mark off before it parses.
  const skipped = text.startsWith(byteOrderMark) ? byteOrderMark.length : 0;
  const errors = [];
  const root = parseTree(text.slice(skipped), errors, { allowTrailingComma: true });
  if (errors.length > 0) return { errors };

  const offsets = byteOffsets(text);
  const range = ({ offset, length }) => {
    const start = offsets[offset + skipped];
    return [start, offsets[offset + length + skipped] - start];
  };
  const rows = [];
  flatten(root, null, [], range, rows);
  return rows;
}

// Not readline: it would also split lines at U+2028.
async function main() {
  let input = '';
  process.stdin.setEncoding('utf8');
  for await (const chunk of process.stdin) input += chunk;
  for (const line of input.split('\n').filter((line) => line !== '')) {
    console.log(JSON.stringify(describe(JSON.parse(line).text)));
  }
}

main();
