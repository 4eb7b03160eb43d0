/**
 * Lists, dictionaries and calls of Python as trees: `dict(type='SGD', lr=0.02)` and `OptimizerConfig(lr=3e-4)` are mappings of
 * their named arguments. Nothing is run: a part that is more than a constant is unread, and so is what a call may add.
 */
import type { Range } from '../../../diagnostics/source.ts';
import { computePython, type PythonValue } from './python-expression.ts';
import { closerOf, itemsIn, opening, trimmed } from './python-scan.ts';
import { childOf, type DataNode, type MappingNode, type ScalarNode } from './tree.ts';

/** What was assigned above. */
export interface PythonScope {
  readonly text: string;
  readonly names: ReadonlyMap<string, PythonValue>;
  readonly trees: ReadonlyMap<string, DataNode>;
  /** Nodes of each tree: a reference repeats them. */
  readonly sizes: Map<string, number>;
  /** Nodes that may still be made. */
  left: number;
}

type Entry = MappingNode['entries'][number];

const MAX_DEPTH = 40;

/** The node of an expression; null if it is nested too deep or repeats too much. */
export function pythonTree(scope: PythonScope, range: Range): DataNode | null {
  const node = nodeAt(scope, range, 0);
  return scope.left < 0 ? null : node;
}

function nodeAt(scope: PythonScope, written: Range, depth: number): DataNode | null {
  const range = trimmed(scope.text, written);
  scope.left -= 1;
  if (depth > MAX_DEPTH || scope.left < 0) return null;
  const { start, end } = range;
  const callee = /^[A-Za-z_][\w.]*(?=\s*\()/.exec(scope.text.slice(start, Math.min(end, start + 200)))?.[0] ?? '';
  const open = callee === '' ? start : scope.text.indexOf('(', start + callee.length);
  const isWhole = opening.includes(scope.text[open] ?? '-') && closerOf(scope.text, open, end) === end - 1;
  if (!isWhole || computed.has(callee)) return leaf(scope, range);
  const items = itemsIn(scope.text, { start: open + 1, end: end - 1 });
  if (callee !== '') return called(scope, { callee, items, range }, depth);
  if (scope.text[start] === '{') return braced(scope, items, range, depth);
  const [only] = items;
  if (scope.text[start] === '(' && only && items.length === 1 && !endsInComma(scope, only, end))
    return nodeAt(scope, only, depth + 1);
  return listOf(scope, items, range, depth);
}

/** Functions whose value is a number. */
const computed: ReadonlySet<string> = new Set(['int', 'float', 'abs', 'min', 'max']);

const endsInComma = ({ text }: PythonScope, only: Range, end: number): boolean =>
  /^\s*,/.test(text.slice(only.end, end - 1));

function listOf(scope: PythonScope, items: readonly Range[], range: Range, depth: number): DataNode | null {
  const nodes = items.map((item) => nodeAt(scope, item, depth + 1));
  const found = nodes.flatMap((node) => node ?? []);
  return found.length < nodes.length ? null : { kind: 'sequence', items: found, range };
}

const quoted = /^[rRuU]?(["'])([^"'\\\n]*)\1$/;

/** `{'a': 1, **more}`; a set is a list. */
function braced(scope: PythonScope, items: readonly Range[], range: Range, depth: number): DataNode | null {
  const entries: Entry[] = [];
  for (const item of items) {
    const text = scope.text.slice(item.start, item.end);
    const key = /^(?:[rRuU]?(?:"[^"\\\n]*"|'[^'\\\n]*')|[\w.]+)(?=\s*:)/.exec(text)?.[0];
    if (key === undefined && !text.startsWith('**')) return listOf(scope, items, range, depth);
    const found =
      key === undefined
        ? spread(scope, { start: item.start + 2, end: item.end }, depth)
        : named(
            scope,
            { key: quoted.exec(key)?.[2] ?? key, range: item, from: text.indexOf(':', key.length) + 1 },
            depth,
          );
    if (!found) return null;
    entries.push(...found);
  }
  return mapping(entries, range);
}

interface Call {
  readonly callee: string;
  readonly items: readonly Range[];
  readonly range: Range;
}

/** The named arguments. Others, and a function, may give more, which the file does not say. */
function called(scope: PythonScope, { callee, items, range }: Call, depth: number): DataNode | null {
  const entries: Entry[] = [];
  const isClass = callee === 'dict' || /^[A-Z]/.test(callee.slice(callee.lastIndexOf('.') + 1));
  for (const item of items) {
    const text = scope.text.slice(item.start, item.end);
    const [head = '', key = ''] = /^([A-Za-z_]\w*)\s*=(?!=)/.exec(text) ?? [];
    const found =
      key !== ''
        ? named(scope, { key, range: item, from: head.length }, depth)
        : text.startsWith('**')
          ? spread(scope, { start: item.start + 2, end: item.end }, depth)
          : [elsewhere(text, item)];
    if (!found) return null;
    entries.push(...found);
  }
  if (isClass) return mapping(entries, range);
  if (entries.every(({ key }) => key === '<<'))
    return { kind: 'scalar', value: callee, text: callee, range, unread: `it calls ${callee}, and nothing is run` };
  return mapping([elsewhere(callee, range), ...entries], range);
}

/** `from` is where the value begins, counted from the start of the item. */
interface NamedItem {
  readonly key: string;
  readonly range: Range;
  readonly from: number;
}

function named(scope: PythonScope, { key, range, from }: NamedItem, depth: number): readonly Entry[] | null {
  const at = { start: range.start + from, end: range.end };
  const value = (key === 'type' ? typeName(scope, at) : null) ?? nodeAt(scope, at, depth + 1);
  return value ? [{ key, keyRange: { start: range.start, end: range.start + key.length }, value }] : null;
}

/** `type=CosineAnnealingLR` names a class as well as `type='CosineAnnealingLR'` does. */
function typeName(scope: PythonScope, written: Range): ScalarNode | null {
  const range = trimmed(scope.text, written);
  const text = scope.text.slice(range.start, range.end);
  const isName = /^[A-Z][\w.]*$|^[\w.]+\.[A-Z]\w*$/.test(text) && !scope.names.has(text) && !constants.has(text);
  return isName ? { kind: 'scalar', value: text.slice(text.lastIndexOf('.') + 1), text, range } : null;
}

const constants: ReadonlySet<string> = new Set(['True', 'False', 'None']);

/** The entries of a dictionary that was assigned above; of any other it is not known what they are. */
function spread(scope: PythonScope, range: Range, depth: number): readonly Entry[] | null {
  const node = nodeAt(scope, range, depth + 1);
  if (node?.kind === 'mapping') return node.entries;
  return node && [elsewhere(`**${scope.text.slice(range.start, range.end)}`, range)];
}

/** A merge key, as YAML has it: names that the section does not give may be given there. */
function elsewhere(text: string, range: Range): Entry {
  const value: ScalarNode = { kind: 'scalar', value: text, text, range, unread: 'nothing is run' };
  return { key: '<<', keyRange: range, value };
}

/** A later entry replaces an earlier one. */
function mapping(entries: readonly Entry[], range: Range): MappingNode {
  const byKey = new Map<string, Entry>();
  for (const entry of entries) {
    byKey.delete(entry.key);
    byKey.set(entry.key, entry);
  }
  return { kind: 'mapping', entries: [...byKey.values()], range };
}

function leaf(scope: PythonScope, range: Range): DataNode {
  const text = scope.text.slice(range.start, range.end);
  const known = reference(scope, text);
  if (known) return known;
  const found = computePython(text, scope.names);
  if ('because' in found) return { kind: 'scalar', value: text, text, range, unread: found.because };
  return { kind: 'scalar', value: found.value, text: typeof found.value === 'string' ? found.value : text, range };
}

/** A name assigned above, or a part of it: `base.optimizer`. */
function reference(scope: PythonScope, text: string): DataNode | null {
  if (!/^[A-Za-z_][\w.]*$/.test(text)) return null;
  const [first = '', ...parts] = text.split('.');
  const tree = scope.trees.get(first);
  if (!tree) return null;
  scope.left -= scope.sizes.get(first) ?? 0;
  return parts.reduce<DataNode | null>((node, part) => node && childOf(node, part), tree);
}
