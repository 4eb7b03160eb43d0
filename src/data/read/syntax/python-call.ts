/**
 * The arguments of a call in a Python script, `TrainingArguments(learning_rate=2e-5, …)`: parsed, never run. Names count if the
 * script assigns them once and above everything else.
 */
import type { Range, SourceFile } from '../../../diagnostics/source.ts';
import { isIndented, readerOf, readStatement, statements } from './python.ts';
import { shadow } from './python-expression.ts';
import { pythonTree } from './python-tree.ts';
import { closerOf, closing, endOfLine, endOfQuiet, endOfString, longGap, opening } from './python-scan.ts';
import type { DataNode, MappingNode } from './tree.ts';

/** A call and its named arguments. */
export interface PythonCall {
  readonly callee: string;
  readonly root: MappingNode;
}

/** Scripts are programs; longer ones are libraries. */
const MAX_LENGTH = 1_000_000;

/** What a call of a script is given; null if it is not read. */
export function pythonCall(source: SourceFile, call: Call): PythonCall | null {
  const { text } = source;
  const lines = statements(text);
  const whole = lines.find(({ start, end }) => start <= call.start && call.start < end) ?? call;
  const code = codeOf(text);
  if (isConditional(code, whole, call)) return null;
  const node = pythonTree(scopeOf(source, code, lines, whole), call);
  if (node?.kind !== 'mapping') return null;
  const variable = /([A-Za-z_]\w*)\s*(?::[^=]*)?=\s*$/.exec(text.slice(whole.start, call.start))?.[1] ?? 'args';
  if (changesAny(variable).test(code)) return null;
  const changed = changedLater(code, lines, variable);
  const given = new Set(node.entries.map(({ key }) => key));
  const entries = [
    ...node.entries.map((entry) => (changed.has(entry.key) ? setLater(entry.key, entry.keyRange, entry.value) : entry)),
    ...[...changed].flatMap(([key, range]) => (given.has(key) || range === null ? [] : [setLater(key, range, null)])),
  ];
  return { callee: call.callee, root: { ...node, entries: entries.filter((entry, i) => i > 0 || !isFolder(entry)) } };
}

/** `TrainingArguments(…) if small else load()`, `given or TrainingArguments(…)`, `TrainingArguments(…).changed()`: its value may be another. */
function isConditional(code: string, whole: Range, call: Range): boolean {
  return (
    /^[\s\\]*(?:(?:if|or|and)\b|\.)/.test(code.slice(call.end, whole.end)) ||
    /\b(?:else|or|and)[\s\\]*(?:\w+\.)*$/.test(code.slice(whole.start, call.start))
  );
}

function setLater(key: string, keyRange: Range, given: DataNode | null): MappingNode['entries'][number] {
  const value =
    given?.kind === 'scalar' ? given : ({ kind: 'scalar', value: key, text: key, range: keyRange } as const);
  return { key, keyRange, value: { ...value, unread: 'the script sets it later' } };
}

/** `TrainingArguments("out", …)` begins with the folder of its output. */
const isFolder = ({ key, value }: MappingNode['entries'][number]): boolean =>
  key === '<<' && value.kind === 'scalar' && /^[rf]?(["'])[^"'{}]*\1$/.test(value.text);

/** Where a script calls a class. */
export interface Call extends Range {
  readonly callee: string;
}

/** The calls of `callees` in a script, outside of its strings and comments; none in a text that is no script. */
export function callsIn(text: string, callees: readonly string[]): readonly Call[] {
  if (text.length > MAX_LENGTH || longGap(text)) return [];
  const name = new RegExp(String.raw`(?:${callees.join('|')})\s*(?=\()`, 'y');
  const found: Call[] = [];
  for (let at = 0; at < text.length; at++) {
    const c = text[at] ?? '';
    if (c === '#') at = endOfLine(text, at) - 1;
    else if (c === '"' || c === "'") at = endOfString(text, at) - 1;
    else if (/[A-Z]/.test(c) && !/[\w]/.test(text[at - 1] ?? '')) {
      name.lastIndex = at;
      const callee = name.exec(text)?.[0];
      if (callee === undefined || /\b(?:class|def)\s+$/.test(text.slice(Math.max(0, at - 10), at))) continue;
      const end = closerOf(text, at + callee.length, text.length);
      if (end > 0) found.push({ callee: callee.trim(), start: at, end: end + 1 });
    }
  }
  return found;
}

/** The text with blanks for its strings and comments. */
function codeOf(text: string): string {
  let code = '';
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const past = endOfQuiet(text, at);
    if (past === at) continue;
    code += text.slice(from, at) + ' '.repeat(past - at);
    from = past;
    at = past - 1;
  }
  return code + text.slice(from);
}

/** What is before the last `=` of a statement, without what is in the brackets of subscripts and calls: its targets, and more. */
function targetsIn(statement: string): string {
  const open: boolean[] = [];
  let flat = '';
  let last = 0;
  for (let at = 0; at < statement.length; at++) {
    const c = statement[at] ?? '';
    const before = statement[at - 1] ?? '';
    if (opening.includes(c)) open.push(open.at(-1) === true || (c !== '{' && /[\w)\]]/.test(before)));
    const isOutside = open.at(-1) !== true;
    if (isOutside && c === '=' && statement[at + 1] !== '=' && !/[=!<>]/.test(before)) last = flat.length;
    if (isOutside) flat += c;
    if (closing.includes(c)) open.pop();
  }
  return flat.slice(0, last);
}

/** Names that a statement may bind: its targets, also behind `if x:` on the same line, and those of `for`, `as`, `:=`, `def` and the like. */
function boundIn(statement: string): ReadonlySet<string> {
  const others = statement.matchAll(
    /\b(?:as|def|class|import|global|nonlocal|del)\s+(\w+)|\bfor\b([^:]{0,200}?)\bin\b|(\w+)\s*:=/g,
  );
  const places = [targetsIn(statement), ...[...others].map(([, one, loop, walrus]) => one ?? loop ?? walrus ?? '')];
  return new Set(
    places.flatMap((place) => [...place.matchAll(/(?<![\w.])[A-Za-z_]\w*(?![\w.])/g)].map(([name]) => name)),
  );
}

/** A function may use what the script assigns at the top, above or below it; a dictionary counts if its name is only in its assignment and in `**name`. */
function scopeOf(source: SourceFile, code: string, lines: readonly Range[], call: Range) {
  const reader = readerOf(source, new Map(), new Map(), []);
  const bound = lines.flatMap(({ start, end }) => [...boundIn(code.slice(start, end))]);
  for (const name of bound) shadow(reader.names, name);
  const isInner = isIndented(source.text, call.start);
  for (const line of lines) {
    if ((isInner || line.end <= call.start) && !isIndented(source.text, line.start)) readStatement(reader, line);
  }
  for (const name of [...twiceIn(bound), ...(isInner ? argumentsIn(code) : [])]) {
    reader.names.delete(name);
    reader.trees.delete(name);
  }
  for (const name of twiceIn(code.match(/(?<!\w|\*\*\s*)[A-Za-z_]\w*/g) ?? [])) reader.trees.delete(name);
  return reader.scope;
}

/** Names that some function is given: they hide what is assigned at the top. */
function argumentsIn(code: string): readonly string[] {
  const lists = [...code.matchAll(/\bdef\s+\w+\s*(?=\()/g)].map(({ 0: head, index }) => {
    const start = index + head.length;
    return code.slice(start + 1, Math.max(start + 1, closerOf(code, start, code.length)));
  });
  const short = [...code.matchAll(/\blambda\b([^:\n]{0,200}):/g)].map(([, list = '']) => list);
  return [...lists, ...short].flatMap((list) =>
    [...list.matchAll(/(?:^|,)[\s*]*([A-Za-z_]\w*)/g)].map(([, name = '']) => name),
  );
}

function twiceIn(names: readonly string[]): ReadonlySet<string> {
  const seen = new Set<string>();
  return new Set(names.filter((name) => seen.size === seen.add(name).size));
}

/** `args.set_lr_scheduler(…)`, `setattr(args, …)`, `vars(args)`: any argument may change. */
const changesAny = (variable: string): RegExp =>
  new RegExp(
    String.raw`\b(?:${variable}|args)\.(?:set_\w+\s*\(|__dict__)|\b(?:setattr|__setattr__|vars|replace)\(\s*(?:[\w.]+\.)?(?:${variable}|args)\b|\breplace\s+as\b`,
  );

/** Attributes that are set somewhere: `args.learning_rate = 1e-4`. Those of other objects may be the same; `null` is for them. */
function changedLater(code: string, lines: readonly Range[], variable: string): ReadonlyMap<string, Range | null> {
  const own = new RegExp(String.raw`(?:(?<![\w.])(?:\w+\.)*${variable}|\.args)[\s)\\]{0,9}$`);
  const changed = new Map<string, Range | null>();
  for (const range of lines) {
    const statement = code.slice(range.start, range.end);
    const others = statement.matchAll(/\b(?:as|del)\s+([\w.]+)|\bfor\b([^:]{0,200}?)\bin\b/g);
    const targets = [targetsIn(statement), ...[...others].map(([, one, loop]) => one ?? loop)].join(' ');
    for (const { 1: key = '', index } of targets.matchAll(/\.\s*([A-Za-z_]\w*)/g))
      if (own.test(targets.slice(Math.max(0, index - 200), index))) changed.set(key, range);
      else if (!changed.has(key)) changed.set(key, null);
  }
  return changed;
}
