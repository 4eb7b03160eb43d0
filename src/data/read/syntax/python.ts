/**
 * Configs written as Python assignments (nanoGPT, llm.c, modded-nanogpt): parsed, never run.
 *
 * `learning_rate = 6e-4`, `max_iters = 600_000`, `tokens = block_size * batch_size` are values. Imports, doc strings
 * and assignments of anything that is not a constant are left out with a remark; any other statement could change the
 * values and is an error. Lists, dictionaries and calls with named arguments are trees (`python-tree.ts`).
 */
import { listOf, quoted } from '../../../base/text.ts';
import { diagnostic, type Diagnostic, type Staged } from '../../../diagnostics/diagnostic.ts';
import type { Range, SourceFile } from '../../../diagnostics/source.ts';
import { computePython, shadow, type PythonValue } from './python-expression.ts';
import { closing, endOfLine, endOfString, longGap, opening } from './python-scan.ts';
import { pythonTree, type PythonScope } from './python-tree.ts';
import type { DataNode, MappingNode } from './tree.ts';

/** Lists may hold others that hold others; a config has thousands of nodes. */
const MOST_NODES = 100_000;

const assignment = /^([A-Za-z_]\w*)\s*(?::\s*[A-Za-z_"'][\w.[\], |"'\s-]*)?\s*(\*\*|\/\/|[-+*/%])?=(?!=)\s*/;
/** None of these changes a setting, and neither does a call that prints, makes a folder or sets a variable of the environment. */
const ignored =
  /^(?:import|from|pass|assert)\b|^[rRuUbB]?(?:"|')|^(?:print|(?:os|sys|warnings)\.\w+(?:\.\w+)*)\((?:(?!:=)[^;])*\)\s*(?:#.*)?$/;
/** What becomes a tree: a list, a dictionary, a call of a class, or a name that may be one. */
const built = /^(?:[[{(]|dict\s*\(|(?:\w+\.)*[A-Z]\w*\s*\(|[A-Za-z_][\w.]*$)/;
const collection = /^[[{(]/;

/** What is known while statements are read in their order. */
export interface Reader {
  readonly source: SourceFile;
  readonly names: Map<string, PythonValue>;
  readonly trees: Map<string, DataNode>;
  readonly scope: PythonScope;
  readonly entries: Map<string, MappingNode['entries'][number]>;
  readonly diagnostics: Diagnostic[];
}

/** A function that returns a config, or a dataclass whose fields are one. */
interface Block {
  readonly name: string;
  readonly kind: 'def' | 'class';
  readonly range: Range;
  readonly reader: Reader;
  /** Null as long as it returns nothing that can be read. */
  result: MappingNode | null;
}

/** The assignments of a text, with those of its one function or class; null if some statement is more than an assignment. */
export function parsePython(source: SourceFile): Staged<DataNode | null> {
  const gap = longGap(source.text);
  if (gap) return { value: null, diagnostics: [tooManyBlanks(source, gap)] };
  const reader = readerOf(source, new Map(), new Map(), []);
  const blocks: Block[] = [];
  const others = statements(source.text).filter((range) => !readAnywhere(reader, blocks, range));
  const [first] = others;
  if (first) return { value: null, diagnostics: [notAnAssignment(source, first, others, blocks.length > 0)] };
  const [only] = blocks;
  const result = only ? resultOf(only) : null;
  if (only && (blocks.length > 1 || !result))
    return { value: null, diagnostics: [...reader.diagnostics, notOneConfig(source, blocks)] };
  const entries = new Map([...reader.entries.values(), ...(result?.entries ?? [])].map((one) => [one.key, one]));
  const range = { start: 0, end: source.text.length };
  return { value: { kind: 'mapping', entries: [...entries.values()], range }, diagnostics: reader.diagnostics };
}

/** Reads statements that may use `names` and `trees`. */
export function readerOf(
  source: SourceFile,
  names: Map<string, PythonValue>,
  trees: Map<string, DataNode>,
  diagnostics: Diagnostic[],
): Reader {
  const scope = { text: source.text, names, trees, sizes: new Map<string, number>(), left: MOST_NODES };
  return { source, names, trees, scope, entries: new Map(), diagnostics };
}

/** `def name(…) -> Type:`, `class Name:` */
export const blockHead = /^(def|class)\s+([A-Za-z_]\w*)\b[^]*:\s*(?:#.*)?$/;
const decorator = /^@[\w.]*dataclass\b/;

/** A statement at the top, or in the function or class above it. */
function readAnywhere(reader: Reader, blocks: Block[], range: Range): boolean {
  const text = reader.source.text.slice(range.start, range.end);
  const isTop = !isIndented(reader.source.text, range.start);
  const [, kind, name = ''] = isTop ? (blockHead.exec(text) ?? []) : [];
  if (kind === 'def' || kind === 'class') {
    shadow(reader.names, name);
    const inner = readerOf(reader.source, new Map(reader.names), new Map(reader.trees), reader.diagnostics);
    blocks.push({ name, kind, range, reader: inner, result: null });
    return true;
  }
  if (isTop) return decorator.test(text) || readStatement(reader, range);
  const block = blocks.at(-1);
  // The block of read_base() only imports.
  if (!block) return ignored.test(text);
  if (/^return\b/.test(text) && block.kind === 'def') return takeReturn(block, range);
  // A field without a value is given by whoever makes the object.
  if (block.kind === 'class' && /^[A-Za-z_]\w*\s*:[^=]*$/.test(text)) return true;
  return readStatement(block.reader, range);
}

/** A second return would depend on something. */
function takeReturn(block: Block, range: Range): boolean {
  const node = pythonTree(block.reader.scope, { start: range.start + 'return'.length, end: range.end });
  if (block.result || node?.kind !== 'mapping') return false;
  block.result = node;
  return true;
}

function resultOf({ kind, reader, range, result }: Block): MappingNode | null {
  return kind === 'def' ? result : { kind: 'mapping', entries: [...reader.entries.values()], range };
}

function notOneConfig(source: SourceFile, blocks: readonly Block[]): Diagnostic {
  const names = listOf(
    blocks.map(({ name }) => name),
    5,
  );
  const message =
    blocks.length > 1 ? `The file defines more than one config: ${names}` : `${names} returns nothing that can be read`;
  return diagnostic('PV-7016', { source, range: blocks[0]?.range ?? { start: 0, end: 0 } }, message, {
    hint: 'Check a file with the one function that the run used: assignments, and a return of the config.',
  });
}

/** False when the statement is neither an assignment nor something that cannot change one. */
export function readStatement(reader: Reader, range: Range): boolean {
  const text = reader.source.text.slice(range.start, range.end);
  if (ignored.test(text)) {
    if (/^(?:import|from)\b/.test(text)) for (const [name] of text.matchAll(/\w+/g)) shadow(reader.names, name);
    return true;
  }
  if (readBase.test(text)) return takeBase(reader, range);
  const head = assignment.exec(text);
  if (!head) return false;
  const [whole, name = '', operator] = head;
  const right = { start: range.start + whole.length, end: range.end };
  const written = { text: name, range: { start: range.start, end: range.start + name.length } };
  assign(reader, written, operator ?? null, right);
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
  const before = reader.scope.left;
  const tree = 'because' in computed && operator === null && built.test(text) ? pythonTree(reader.scope, range) : null;
  // A name that was assigned again is its last value, even when that one cannot be read.
  reader.names.delete(name.text);
  reader.trees.delete(name.text);
  reader.entries.delete(name.text);
  shadow(reader.names, name.text);
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
export function beforeComment(text: string): string {
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

function tooManyBlanks(source: SourceFile, { start }: Range): Diagnostic {
  const hint = 'Remove them.';
  return diagnostic('PV-7016', { source, range: { start, end: start + 1 } }, 'Here are 1,000 blanks in a row', {
    hint,
  });
}

/** detectron2 builds its newer configs of objects that other files make. */
const lazyCall = /\bimport\s+LazyCall\b|\bLazyCall\s*\(/;
const ginBinding = /^[\w./]+(?:\.|\/)\w+\s*=|^[\w.]+\s*=\s*[@%]/;

/** One error for a file: a whole program has hundreds of such statements. */
function notAnAssignment(source: SourceFile, range: Range, all: readonly Range[], isProgram: boolean): Diagnostic {
  const textOf = ({ start, end }: Range): string => source.text.slice(start, end);
  const text = textOf(range);
  const end = range.start + (/\r|\n|$/.exec(text)?.index ?? text.length);
  const more = all.length - 1;
  const others = more === 0 ? '' : `, nor ${more === 1 ? 'is 1 more statement' : `are ${more} more statements`}`;
  const isGin = !isProgram && all.filter((one) => ginBinding.test(textOf(one))).length * 2 > all.length;
  return diagnostic(
    'PV-7016',
    { source, range: { start: range.start, end } },
    `${quoted(text, 40)} is not an assignment of a constant${others}`,
    {
      hint: lazyCall.test(source.text)
        ? 'This is a LazyConfig of detectron2, whose parts other files make. Write the values that the run used into a file of YAML, such as max_steps: 90000.'
        : isGin
          ? 'This looks like a config of gin, which pv does not read. Write the values that the run used into a file of YAML, such as learning_rate: 1e-4.'
          : 'Configs in Python are parsed and never run: keep only lines like batch_size = 12. Of a program, write the values that the run uses into a file of YAML, such as max_steps: 1000, warmup_steps: 100, learning_rate: 1e-3; or check the log or the history that the run wrote.',
    },
  );
}

/** Whether only blanks are before `start` in its line. */
export function isIndented(text: string, start: number): boolean {
  let at = start;
  while (at > 0 && (text[at - 1] === ' ' || text[at - 1] === '\t')) at -= 1;
  return at < start && (at === 0 || text[at - 1] === '\n' || text[at - 1] === '\r');
}

/** Statements with their comments, joined over open brackets and backslashes, split at semicolons. */
export function statements(text: string): readonly Range[] {
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
