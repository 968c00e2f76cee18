// The editor: CodeMirror with the languages of configuration files.
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { yaml } from "@codemirror/lang-yaml";
import { StreamLanguage, bracketMatching, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { toml } from "@codemirror/legacy-modes/mode/toml";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { unifiedMergeView } from "@codemirror/merge";
import { Compartment, EditorState } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";

const dark = matchMedia("(prefers-color-scheme: dark)");
const scheme = new Compartment();
const asScheme = () => EditorView.theme({}, { dark: dark.matches });

// language returns the extension that colors a file.
function language(path, text) {
  if (/\.toml$/i.test(path)) return StreamLanguage.define(toml);
  if (/\.ya?ml$/i.test(path)) return yaml();
  if (/\.(jsonc?|json5|code-workspace)$/i.test(path) || /^\s*[{[]/.test(text)) return json();
  return [];
}

const nonce = EditorView.cspNonce.of("editor"); // of the page's policy

const looks = (path, text) => [
  EditorState.lineSeparator.of("\n"), // a carriage return stays a character of the file
  nonce,
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ "aria-label": path, spellcheck: "false" }),
  lineNumbers(),
  highlightSpecialChars(),
  syntaxHighlighting(classHighlighter),
  language(path, text),
  scheme.of(asScheme()),
];

// newState returns the state of a file; changed is called after it was changed.
export function newState(path, text, changed) {
  return EditorState.create({
    doc: text,
    extensions: [
      looks(path, text),
      history(),
      drawSelection(),
      indentOnInput(),
      bracketMatching(),
      highlightActiveLine(),
      lintGutter(),
      keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]), // Tab leaves the editor
      EditorView.updateListener.of((update) => update.docChanged && changed(update.state)),
    ],
  });
}

// newEditor returns a view without a file.
export function newEditor(parent) {
  const view = new EditorView({ parent, extensions: nonce });
  dark.addEventListener("change", () => view.dispatch({ effects: scheme.reconfigure(asScheme()) }));
  return view;
}

// diff shows how a text changes.
export function diff(parent, path, before, after) {
  return new EditorView({
    parent,
    doc: after,
    extensions: [
      looks(path, after),
      EditorState.readOnly.of(true),
      EditorView.editable.of(false),
      unifiedMergeView({ original: before, mergeControls: false, highlightChanges: true, collapseUnchanged: { margin: 3, minSize: 6 } }),
    ],
  });
}

// mark shows findings at their places: {from, to, severity, message, actions}.
export function mark(view, diagnostics) {
  view.dispatch(setDiagnostics(view.state, diagnostics));
}
