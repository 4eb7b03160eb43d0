/**
 * Configs written as Python assignments (nanoGPT, llm.c, modded-nanogpt): parsed, never run.
 *
 * `learning_rate = 6e-4`, `max_iters = 600_000`, `tokens = block_size * batch_size` are values. Imports, doc strings
 * and assignments of anything that is not a constant are left out with a remark; any other statement could change the
 * values and is an error.
 */
import { quoted } from '../../../base/text.ts';
import { diagnostic, type Diagnostic, type Staged } from '../../../diagnostics/diagnostic.ts';
import type { Range, SourceFile } from '../../../diagnostics/source.ts';
import { computePython, type PythonValue } from './python-expression.ts';
import type { DataNode, MappingNode } from './tree.ts';

/** Errors that are shown; a whole program has hundreds of statements. */
const MAX_ERRORS = 5;

const assignment = /^([A-Za-z_]\w*)\s*(?::\s*[A-Za-z_][\w.[\], |]*)?\s*(\*\*|\/\/|[-+*/%])?=(?!=)\s*/;
const ignored = /^(?:import|from|pass|assert)\b|^[rRuUbB]?(?:"|')/;
const collection = /^[[{(]/;

interface Reader {
  readonly source: SourceFile;
  readonly names: Map<string, PythonValue>;
  readonly entries: Map<string, MappingNode['entries'][number]>;
  readonly diagnostics: Diagnostic[];
}

/** The assignments of a text; null if some statement is more than an assignment. */
export function parsePython(source: SourceFile): Staged<DataNode | null> {
  const reader: Reader = { source, names: new Map(), entries: new Map(), diagnostics: [] };
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
  reader.entries.delete(name.text);
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
    return diagnostic('PV-7035', { source, range }, `${name} is a list, tuple or dictionary and is not read`, {
      hint: 'Contracts ask for single values.',
    });
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

const opening = '([{';
const closing = ')]}';

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

function endOfLine(text: string, at: number): number {
  const end = /[\r\n]/g;
  end.lastIndex = at;
  return end.exec(text)?.index ?? text.length;
}

/** Just after the closing quotes; an unclosed string ends with its line, so that the next line is read. */
function endOfString(text: string, at: number): number {
  const quote = text[at] ?? '';
  const triple = quote.repeat(3);
  const closer = text.startsWith(triple, at) ? triple : quote;
  for (let i = at + closer.length; i < text.length; i++) {
    if (text[i] === '\\') i += 1;
    else if (text.startsWith(closer, i)) return i + closer.length;
    else if (closer.length === 1 && text[i] === '\n') return i;
  }
  return text.length;
}
