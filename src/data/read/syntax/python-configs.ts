/**
 * Configs that functions of a Python file return (torchtitan's `config_registry.py`, `get_config()` of ml_collections): parsed,
 * never run. A function may build on one above it, and set what it returns part by part: `config.training.steps = 10`.
 */
import type { Range, SourceFile } from '../../../diagnostics/source.ts';
import { beforeComment, blockHead, isIndented, readerOf, readStatement, statements, type Reader } from './python.ts';
import { longGap } from './python-scan.ts';
import { shadow } from './python-expression.ts';
import { pythonTree } from './python-tree.ts';
import type { DataNode, MappingNode } from './tree.ts';

/** What one function returns. */
interface PythonConfig {
  readonly name: string;
  readonly root: MappingNode;
}

/** Those that can be read, and the names of the other functions. */
export interface PythonConfigs {
  readonly configs: readonly PythonConfig[];
  readonly unread: readonly string[];
}

interface Function {
  readonly name: string;
  readonly reader: Reader;
  /** Whether every statement so far is understood, and none has returned. */
  isOpen: boolean;
  /** Names of objects that the function made itself. */
  readonly own: Set<string>;
  /** Whether an object has two names, so that a change of one changes the other. */
  hasAlias: boolean;
}

/** Files with more functions are programs. */
const MOST_FUNCTIONS = 100;
/** Each copies the section that it changes. */
const MOST_CHANGES = 5000;

/** Reads each function at the top for itself; one that has a statement which is more than an assignment is not read. */
export function pythonConfigs(source: SourceFile): PythonConfigs {
  if (longGap(source.text)) return { configs: [], unread: [] };
  const top = readerOf(source, new Map(), new Map(), []);
  const found = new Map<string, MappingNode | null>();
  let left = MOST_CHANGES;
  let open: Function | null = null;
  for (const range of statements(source.text)) {
    if (isIndented(source.text, range.start)) {
      if (!open?.isOpen) continue;
      left -= 1;
      open.isOpen = left > 0 && readLine(open, found, range);
      continue;
    }
    const [, kind, name] = blockHead.exec(source.text.slice(range.start, range.end)) ?? [];
    open =
      kind === 'def' && name !== undefined
        ? { name, reader: inside(top), isOpen: true, own: new Set(), hasAlias: false }
        : null;
    if (open) {
      found.set(open.name, null);
      shadow(top.names, open.name);
    } else readStatement(top, range);
    if (found.size > MOST_FUNCTIONS) return { configs: [], unread: [] };
  }
  const all = [...found];
  return {
    configs: all.flatMap(([name, root]) => (root ? [{ name, root }] : [])),
    unread: all.flatMap(([name, root]) => (root ? [] : [name])),
  };
}

const inside = ({ source, names, trees }: Reader): Reader => readerOf(source, new Map(names), new Map(trees), []);

/** False after the last statement that counts. */
function readLine(open: Function, found: Map<string, MappingNode | null>, range: Range): boolean {
  const { reader, own } = open;
  const text = beforeComment(reader.source.text.slice(range.start, range.end));
  if (/^return\b/.test(text)) {
    const node = pythonTree(reader.scope, { start: range.start + 'return'.length, end: range.end });
    // What another function may change as well is not its own.
    const [, name = null] = /^return\s+([A-Za-z_]\w*)$/.exec(text) ?? [];
    if (node?.kind === 'mapping' && (name === null || own.has(name))) found.set(open.name, node);
    return false;
  }
  const [, name = '', right = ''] = /^([A-Za-z_]\w*)\s*(?::[^=]*)?=(?!=)\s*([^]*)$/.exec(text) ?? [];
  const base = found.get(/^([A-Za-z_]\w*)\(\s*\)$/.exec(right)?.[1] ?? '');
  if (name !== '' && base) {
    reader.names.delete(name);
    reader.trees.set(name, base);
    own.add(name);
    return true;
  }
  const changed = setPart(open, range, text);
  if (changed !== null) return changed;
  const isReference = /^[A-Za-z_][\w.]*$/.test(right) && reader.trees.has(right.split('.')[0] ?? '');
  open.hasAlias ||= isReference;
  if (isReference) own.delete(name);
  else own.add(name);
  return readStatement(reader, range);
}

const part = /^([A-Za-z_]\w*)((?:\.[A-Za-z_]\w*)+)\s*(\*\*|\/\/|[-+*/%|&])?=(?!=)\s*/;

/** `config.training.steps = 10`; null if the statement is another one. */
function setPart({ reader, own, hasAlias }: Function, range: Range, text: string): boolean | null {
  const [whole, name = '', path = '', operator] = part.exec(text) ?? [];
  if (whole === undefined) return null;
  const root = own.has(name) && !hasAlias ? reader.trees.get(name) : undefined;
  const right = { start: range.start + whole.length, end: range.start + text.length };
  const unread: DataNode = { kind: 'scalar', value: text, text, range: right, unread: 'it changes a value' };
  const value = operator === undefined ? pythonTree(reader.scope, right) : unread;
  if (root?.kind !== 'mapping' || !value) return false;
  const keyRange = { start: range.start, end: range.start + name.length + path.length };
  reader.trees.set(name, withPart(root, path.slice(1).split('.'), { keyRange, value }));
  return true;
}

/** The mapping with another value at a path; what is in a part that is not read stays unread. */
function withPart(
  node: MappingNode,
  [head = '', ...rest]: readonly string[],
  set: Omit<MappingNode['entries'][number], 'key'>,
): MappingNode {
  const before = node.entries.find(({ key }) => key === head);
  const others = node.entries.filter(({ key }) => key !== head);
  if (rest.length === 0) return { ...node, entries: [...others, { key: head, ...set }] };
  const child: DataNode = before?.value ?? { kind: 'mapping', entries: [], range: set.keyRange };
  if (child.kind !== 'mapping') return node;
  const value = withPart(child, rest, set);
  return { ...node, entries: [...others, { key: head, keyRange: before?.keyRange ?? set.keyRange, value }] };
}
