/**
 * Lists and mappings in brackets that open and close on one line: `[a, "b"]`, `{ abs: 1e-6, per: n }`.
 */
import { MAX_VALUES, offsetOf, skipSpaces, SPACE, type Lines } from './subset-lines.ts';
import { plainScalar, readQuotedItem, startsPlain } from './subset-scalars.ts';
import { isTaken, type YamlEntry, type YamlNode, type YamlScalar } from './node.ts';

/** A node and the column after it. */
interface Read<T extends YamlNode = YamlNode> {
  readonly node: T;
  readonly end: number;
}

const maximumDepth = 10;

/** The collection whose bracket stands at column `from`; null when it is not closed on this line or is uncommon. */
export function readFlow(reader: Lines, line: string, from: number, depth: number): Read | null {
  if (depth >= maximumDepth) return null;
  return line.charAt(from) === '[' ? readList(reader, line, from, depth) : readBraces(reader, line, from, depth);
}

function readList(reader: Lines, line: string, from: number, depth: number): Read | null {
  const start = offsetOf(reader, reader.at, from);
  const items: YamlNode[] = [];
  let at = skipSpaces(line, from + 1);
  while (line.charAt(at) !== ']') {
    const item = readItem(reader, line, at, depth);
    const next = item && afterItem(line, item.end, ']');
    if (!item || next === null || reader.nodes > MAX_VALUES) return null;
    items.push(item.node);
    at = next;
  }
  const end = Math.max(start, items.at(-1)?.range.end ?? 0);
  return { node: { kind: 'sequence', items, range: { start, end } }, end: at + 1 };
}

function readBraces(reader: Lines, line: string, from: number, depth: number): Read | null {
  const start = offsetOf(reader, reader.at, from);
  const entries: YamlEntry[] = [];
  let at = skipSpaces(line, from + 1);
  while (line.charAt(at) !== '}') {
    const colon = plainEnd(line, at);
    if (line.charAt(colon) !== ':' || colon <= at) return null;
    const key = plainScalar(reader, line.slice(at, colon), offsetOf(reader, reader.at, at));
    const value = isTaken(entries, key.text) ? null : readItem(reader, line, skipSpaces(line, colon + 1), depth);
    const next = value && afterItem(line, value.end, '}');
    if (!value || next === null || reader.nodes > MAX_VALUES) return null;
    entries.push({ key: key.text, keyRange: key.range, value: value.node });
    reader.nodes++;
    at = next;
  }
  const end = Math.max(start, entries.at(-1)?.value.range.end ?? 0);
  return { node: { kind: 'mapping', entries, range: { start, end } }, end: at + 1 };
}

function readItem(reader: Lines, line: string, at: number, depth: number): Read | null {
  reader.nodes++;
  const c = line.charAt(at);
  if (c === '[' || c === '{') return readFlow(reader, line, at, depth + 1);
  if (c === '"' || c === "'") {
    const node = readQuotedItem(reader, line, at);
    return node && { node, end: node.range.end + 1 - offsetOf(reader, reader.at, 0) };
  }
  return readPlainItem(reader, line, at);
}

function readPlainItem(reader: Lines, line: string, at: number): Read<YamlScalar> | null {
  if (line.charAt(at) === '-' && ',]}'.includes(line.charAt(at + 1))) return null;
  const end = plainEnd(line, at);
  if (end <= at || line.charAt(end) === ':') return null;
  return { node: plainScalar(reader, line.slice(at, end), offsetOf(reader, reader.at, at)), end };
}

/**
 * Where a plain scalar from `from` ends: at the colon of a key when it is one, else after its last visible character.
 * −1 when it is uncommon.
 */
function plainEnd(line: string, from: number): number {
  if (!startsPlain(line, from)) return -1;
  let end = from;
  for (let at = from; at < line.length; at++) {
    const c = line.charCodeAt(at);
    if (c === SPACE) {
      if (line.charAt(at + 1) === '#') return -1;
      continue;
    }
    if (isFlowIndicator(c)) return end;
    if (c === 58) {
      const next = line.charCodeAt(at + 1);
      if (next === SPACE) return end === at ? at : -1;
      if (at + 1 >= line.length || isFlowIndicator(next)) return -1;
    }
    end = at + 1;
  }
  return -1;
}

/** `,` `[` `]` `{` `}` */
const isFlowIndicator = (c: number): boolean => c === 44 || c === 91 || c === 93 || c === 123 || c === 125;

/** The column of the next item or of `close` itself; null when something else follows the item that ends at `from`. */
function afterItem(line: string, from: number, close: ']' | '}'): number | null {
  const at = skipSpaces(line, from);
  if (line.charAt(at) === close) return at;
  return line.charAt(at) === ',' ? skipSpaces(line, at + 1) : null;
}
