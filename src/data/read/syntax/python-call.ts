/**
 * The arguments of a call in a Python script, `TrainingArguments(learning_rate=2e-5, …)`: parsed, never run. Names count if the
 * script assigns them once and above everything else.
 */
import type { Range, SourceFile } from '../../../diagnostics/source.ts';
import { isIndented, readerOf, readStatement, statements } from './python.ts';
import { pythonTree } from './python-tree.ts';
import { closerOf, endOfLine, endOfString } from './python-scan.ts';
import type { MappingNode } from './tree.ts';

/** A call and its named arguments. */
export interface PythonCall {
  readonly callee: string;
  readonly root: MappingNode;
}

/** Scripts are programs; longer ones are libraries. */
const MAX_LENGTH = 1_000_000;

/** The one call of `callees`; null if the script has none, or several, of which only one may run. */
export function pythonCall(source: SourceFile, callees: readonly string[]): PythonCall | null {
  const { text } = source;
  if (text.length > MAX_LENGTH) return null;
  const [call, second] = callsIn(text, callees);
  if (!call || second) return null;
  const lines = statements(text);
  const whole = lines.find(({ start, end }) => start <= call.start && call.start < end) ?? call;
  const node = pythonTree(scopeOf(source, lines, whole), call);
  if (node?.kind !== 'mapping') return null;
  const variable = /([A-Za-z_]\w*)\s*(?::[^=]*)?=\s*$/.exec(text.slice(whole.start, call.start))?.[1] ?? 'args';
  if (changesAny(variable).test(text)) return null;
  const changed = changedLater(text, lines, variable);
  const entries = node.entries.map((entry) =>
    changed.has(entry.key) && entry.value.kind === 'scalar'
      ? { ...entry, value: { ...entry.value, unread: 'the script sets it later' } }
      : entry,
  );
  return { callee: call.callee, root: { ...node, entries: entries.filter((entry, i) => i > 0 || !isFolder(entry)) } };
}

/** `TrainingArguments("out", …)` begins with the folder of its output. */
const isFolder = ({ key, value }: MappingNode['entries'][number]): boolean =>
  key === '<<' && value.kind === 'scalar' && /^[rf]?(["'])[^"'{}]*\1$/.test(value.text);

interface Call extends Range {
  readonly callee: string;
}

function callsIn(text: string, callees: readonly string[]): readonly Call[] {
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

const assigned = /^([A-Za-z_]\w*)\s*(?::[^=\n]*)?(?:\*\*|\/\/|[-+*/%|&])?=(?!=)/;

/** In a function, an argument may have any name. */
function scopeOf(source: SourceFile, lines: readonly Range[], call: Range) {
  const reader = readerOf(source, new Map(), new Map(), []);
  if (isIndented(source.text, call.start)) return reader.scope;
  const times = new Map<string, number>();
  for (const line of lines) {
    const name = assigned.exec(source.text.slice(line.start, line.end))?.[1];
    if (name !== undefined) times.set(name, (times.get(name) ?? 0) + 1);
    if (line.end <= call.start && !isIndented(source.text, line.start)) readStatement(reader, line);
  }
  for (const [name, count] of times)
    if (count > 1) {
      reader.names.delete(name);
      reader.trees.delete(name);
    }
  return reader.scope;
}

/** `args.set_lr_scheduler(…)`, `setattr(args, …)`, `vars(args)`: any argument may change. */
const changesAny = (variable: string): RegExp =>
  new RegExp(
    String.raw`\b(?:${variable}|args)\.(?:set_\w+\s*\(|__dict__)|\b(?:setattr|vars|replace)\(\s*(?:[\w.]+\.)?(?:${variable}|args)\b`,
  );

/** `args.learning_rate = 1e-4` after the call. */
function changedLater(text: string, lines: readonly Range[], variable: string): ReadonlySet<string> {
  const change = new RegExp(String.raw`^(?:[\w.]+\.)?(?:${variable}|args)\.(\w+)\s*(?:[-+*/]|\*\*|//)?=(?!=)`);
  return new Set(lines.flatMap(({ start, end }) => change.exec(text.slice(start, end))?.[1] ?? []));
}
