/**
 * Configs written as Python assignments (nanoGPT, llm.c, modded-nanogpt): parsed, never run.
 *
 * `learning_rate = 6e-4`, `max_iters = 600_000`, `tokens = block_size * batch_size` are values. Imports, doc strings
 * and assignments of anything that is not a constant are left out with a remark; any other statement could change the
 * values and is an error. Lists, dictionaries and calls with named arguments are trees (`python-tree.ts`).
 */
import { quoted } from '../../../base/text.ts';
import { diagnostic, type Diagnostic, type Staged } from '../../../diagnostics/diagnostic.ts';
import type { Range, SourceFile } from '../../../diagnostics/source.ts';
import { computePython, type PythonValue } from './python-expression.ts';
import { closing, endOfLine, endOfString, opening } from './python-scan.ts';
import { pythonTree, type PythonScope } from './python-tree.ts';
import type { DataNode, MappingNode } from './tree.ts';

/** Errors that are shown; a whole program has hundreds of statements. */
const MAX_ERRORS = 5;

/** Lists may hold others that hold others; a config has thousands of nodes. */
const MOST_NODES = 100_000;

const assignment = /^([A-Za-z_]\w*)\s*(?::\s*[A-Za-z_][\w.[\], |]*)?\s*(\*\*|\/\/|[-+*/%])?=(?!=)\s*/;
const ignored = /^(?:import|from|pass|assert)\b|^[rRuUbB]?(?:"|')/;
/** What becomes a tree: a list, a dictionary, a call of a class, or a name that may be one. */
const built = /^(?:[[{(]|dict\s*\(|(?:\w+\.)*[A-Z]\w*\s*\(|[A-Za-z_][\w.]*$)/;
const collection = /^[[{(]/;

interface Reader {
  readonly source: SourceFile;
  readonly names: Map<string, PythonValue>;
  readonly trees: Map<string, DataNode>;
  readonly scope: PythonScope;
  readonly entries: Map<string, MappingNode['entries'][number]>;
  readonly diagnostics: Diagnostic[];
}

/** The assignments of a text; null if some statement is more than an assignment. */
export function parsePython(source: SourceFile): Staged<DataNode | null> {
  const names = new Map<string, PythonValue>();
  const trees = new Map<string, DataNode>();
  const scope = { text: source.text, names, trees, sizes: new Map<string, number>(), left: MOST_NODES };
  const reader: Reader = { source, names, trees, scope, entries: new Map(), diagnostics: [] };
  let errors = 0;
  for (const range of statements(source.text)) {
    if (readStatement(reader, range)) continue;
    errors += 1;
    if (errors > MAX_ERRORS) break;
    reader.diagnostics.push(notAnAssignment(source, range));
  }
  const node: DataNode = {
    kind: 'mapping',
    entries: [...reader.entries.values()],
    range: { start: 0, end: source.text.length },
  };
  return { value: errors > 0 ? null : node, diagnostics: reader.diagnostics };
}

/** False when the statement is neither an assignment nor something that cannot change one. */
function readStatement(reader: Reader, range: Range): boolean {
  const text = reader.source.text.slice(range.start, range.end);
  if (ignored.test(text)) return true;
  if (readBase.test(text)) return takeBase(reader, range);
  const head = assignment.exec(text);
  if (!head || isIndented(reader.source.text, range.start)) return false;
  const [whole, name = '', operator] = head;
  const right = { start: range.start + whole.length, end: range.end };
  assign(
    reader,
    { text: name, range: { start: range.start, end: range.start + name.length } },
    operator ?? null,
    right,
  );
  return true;
}

/** `with read_base():` of mmengine, in whose block a config imports the ones it builds on. */
const readBase = /^with\s+read_base\(\)\s*:/;

function takeBase(reader: Reader, range: Range): true {
  const text = 'read_base()';
  const value: DataNode = { kind: 'scalar', value: text, text, range, unread: 'another file gives it' };
  reader.entries.set('_base_', { key: '_base_', keyRange: range, value });
  return true;
}

function assign(
  reader: Reader,
  name: { readonly text: string; readonly range: Range },
  operator: string | null,
  right: Range,
): void {
  const text = beforeComment(reader.source.text.slice(right.start, right.end));
  const range = { start: right.start, end: right.start + text.length };
  const computed = computePython(operator === null ? text : `${name.text} ${operator} (${text})`, reader.names);
  // A name that was assigned again is its last value, even when that one cannot be read.
  reader.names.delete(name.text);
  reader.trees.delete(name.text);
  reader.entries.delete(name.text);
  const before = reader.scope.left;
  const tree = 'because' in computed && operator === null && built.test(text) ? pythonTree(reader.scope, range) : null;
  if (tree && tree.kind !== 'scalar') {
    reader.trees.set(name.text, tree);
    reader.scope.sizes.set(name.text, before - reader.scope.left);
    reader.entries.set(name.text, { key: name.text, keyRange: name.range, value: tree });
    return;
  }
  if ('because' in computed) {
    reader.diagnostics.push(unread(reader.source, name.text, range, text, computed.because));
    reader.entries.set(name.text, {
      key: name.text,
      keyRange: name.range,
      value: { kind: 'scalar', value: null, text, range, unread: computed.because },
    });
    return;
  }
  reader.names.set(name.text, computed.value);
  const shown = typeof computed.value === 'string' && !/[+]/.test(text) ? computed.value : text;
  reader.entries.set(name.text, {
    key: name.text,
    keyRange: name.range,
    value: { kind: 'scalar', value: computed.value, text: shown, range },
  });
}

/** The text without a comment at its end. */
function beforeComment(text: string): string {
  for (let at = 0; at < text.length; at++) {
    const c = text[at];
    if (c === '"' || c === "'") at = endOfString(text, at) - 1;
    else if (c === '#' && !text.slice(at).includes('\n')) return text.slice(0, at).trimEnd();
  }
  return text.trimEnd();
}

function unread(source: SourceFile, name: string, range: Range, text: string, because: string): Diagnostic {
  if (collection.test(text))
    return diagnostic(
      'PV-7035',
      { source, range },
      `${name} is a list, tuple or dictionary that is nested too deep, or repeats others too often`,
      {
        hint: 'Its values are not used.',
      },
    );
  return diagnostic('PV-7016', { source, range }, `The value of ${name} is not known: ${because}`, {
    severity: 'warning',
    hint: 'Write the number itself. No default is used for it.',
  });
}

function notAnAssignment(source: SourceFile, range: Range): Diagnostic {
  const text = source.text.slice(range.start, range.end);
  const end = range.start + (/\r|\n|$/.exec(text)?.index ?? text.length);
  return diagnostic(
    'PV-7016',
    { source, range: { start: range.start, end } },
    `${quoted(text, 40)} is not an assignment of a constant`,
    {
      hint: 'Configs in Python are parsed and never run: keep only lines like batch_size = 12.',
    },
  );
}

function isIndented(text: string, start: number): boolean {
  let at = start;
  while (at > 0 && (text[at - 1] === ' ' || text[at - 1] === '\t')) at -= 1;
  return at < start && (at === 0 || text[at - 1] === '\n' || text[at - 1] === '\r');
}

/** Statements with their comments, joined over open brackets and backslashes, split at semicolons. */
function statements(text: string): readonly Range[] {
  const found: Range[] = [];
  let start = text.startsWith('\uFEFF') ? 1 : 0;
  let depth = 0;
  const close = (end: number): void => {
    const from = start + (/^\s*/.exec(text.slice(start, end))?.[0].length ?? 0);
    if (from < end && text[from] !== '#') found.push({ start: from, end });
    start = end + 1;
  };
  for (let at = start; at < text.length; at++) {
    const c = text[at] ?? '';
    if (c === '#') at = endOfLine(text, at) - 1;
    else if (c === '"' || c === "'") at = endOfString(text, at) - 1;
    else if (c === '\\') at += text[at + 1] === '\r' ? 2 : 1;
    else if (opening.includes(c)) depth += 1;
    else if (closing.includes(c)) depth = Math.max(0, depth - 1);
    else if ((c === '\n' || c === '\r' || c === ';') && depth === 0) close(at);
  }
  close(text.length);
  return found;
}
