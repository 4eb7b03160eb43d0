/**
 * The common part of YAML, read straight into a tree, line by line: what nearly every contract is written in.
 *
 * Block mappings with plain keys, block lists, lists and mappings in brackets on one line, and scalars of every style.
 * For anything else (anchors, tags, tabs, quoted keys, a second document, any error) the answer is null and the whole
 * parser reads the file. So this part only ever has to be right about what it accepts: test/contract/yaml/subset.test.ts
 * holds it to the same tree as the whole parser, places included. It takes a third of that one's time in a fresh process
 * (docs/contract-format.md), which is why it stands beside it.
 */
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Range, SourceFile } from '../../diagnostics/source.ts';
import { readFlow } from './subset-flow.ts';
import {
  endsAfter,
  HASH,
  lineAt,
  linesOf,
  MAX_VALUES,
  nextContent,
  offsetOf,
  skipSpaces,
  SPACE,
  type Lines,
} from './subset-lines.ts';
import { emptyScalar, keyEnd, readBlock, readKey, readPlain, readQuoted, startsPlain } from './subset-scalars.ts';
import { isTaken, type YamlEntry, type YamlMapping, type YamlNode, type YamlSequence } from './node.ts';

/** Deeper and larger trees are no contracts; the whole parser has a finding for them. */
const maximumDepth = 30;
const maximumNodes = 50_000;

export interface CommonYaml {
  readonly root: YamlMapping;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The mapping that `source` holds when it is written in the common part of YAML alone; null otherwise.
 * A text that turns out to hold more than `MAX_VALUES` is not read to its end.
 */
export function readCommonYaml(source: SourceFile): CommonYaml | 'too many values' | null {
  const reader = linesOf(source);
  if (!reader) return null;
  const column = nextContent(reader);
  if (column < 0) return null;
  const root = readNode(reader, column, -1);
  if (reader.nodes > MAX_VALUES) return 'too many values';
  if (root?.kind !== 'mapping' || reader.at < reader.lines.length || reader.nodes > maximumNodes) return null;
  return { root, diagnostics: reader.diagnostics };
}

/** The node that begins the reader's line, in a collection at column `parent`. */
function readNode(reader: Lines, column: number, parent: number): YamlNode | null {
  const line = lineAt(reader, reader.at);
  if (isDash(line, column)) return nested(reader, () => readSequence(reader, column));
  if (keyEnd(line, column) >= 0) return nested(reader, () => readMapping(reader, column));
  return readInline(reader, line, column, parent);
}

function nested<T extends YamlNode>(reader: Lines, read: () => T | null): T | null {
  if (reader.depth >= maximumDepth) return null;
  reader.depth++;
  const node = read();
  reader.depth--;
  return node;
}

const isDash = (line: string, at: number): boolean =>
  line.charCodeAt(at) === 45 && (at + 1 >= line.length || line.charCodeAt(at + 1) === SPACE);

/** A block mapping at `column`, whose first key stands in the reader's line. */
function readMapping(reader: Lines, column: number): YamlMapping | null {
  const start = offsetOf(reader, reader.at, column);
  const entries: YamlEntry[] = [];
  let indent = column;
  while (indent === column) {
    const line = lineAt(reader, reader.at);
    const colon = keyEnd(line, column);
    const key = colon < 0 ? null : readKey(reader, line, column, colon);
    if (!key || isTaken(entries, key.text)) return null;
    const value = readEntryValue(reader, line, colon + 1, column, key.range);
    if (!value || reader.nodes > MAX_VALUES) return null;
    reader.nodes += 2;
    entries.push({ key: key.text, keyRange: key.range, value });
    indent = nextContent(reader);
  }
  if (indent > column) return null;
  const last = entries.at(-1);
  return {
    kind: 'mapping',
    entries,
    range: { start, end: Math.max(start, last?.value.range.end ?? 0, last?.keyRange.end ?? 0) },
  };
}

/** What follows a colon: a value in the line, or the deeper lines below, or nothing. */
function readEntryValue(reader: Lines, line: string, from: number, column: number, key: Range): YamlNode | null {
  const at = skipSpaces(line, from);
  if (at < line.length && line.charCodeAt(at) !== HASH) return readInline(reader, line, at, column);
  reader.at++;
  const below = nextContent(reader);
  if (below > column) return readNode(reader, below, column);
  if (below === column && isDash(lineAt(reader, reader.at), column))
    return nested(reader, () => readSequence(reader, column));
  return emptyScalar(key);
}

/** A block list at `column`, whose first dash stands in the reader's line. */
function readSequence(reader: Lines, column: number): YamlSequence | null {
  const start = offsetOf(reader, reader.at, column);
  const items: YamlNode[] = [];
  let indent = column;
  while (indent === column && isDash(lineAt(reader, reader.at), column)) {
    const item = readItem(reader, column, start);
    if (!item || reader.nodes > MAX_VALUES) return null;
    reader.nodes++;
    items.push(item);
    indent = nextContent(reader);
  }
  if (indent > column) return null;
  return { kind: 'sequence', items, range: { start, end: Math.max(start, items.at(-1)?.range.end ?? 0) } };
}

function readItem(reader: Lines, column: number, start: number): YamlNode | null {
  const line = lineAt(reader, reader.at);
  const at = skipSpaces(line, column + 1);
  if (at < line.length && line.charCodeAt(at) !== HASH) return readNode(reader, at, column);
  reader.at++;
  const below = nextContent(reader);
  return below > column ? readNode(reader, below, column) : emptyScalar({ start, end: start });
}

/** A scalar, or a collection in brackets, that begins at column `from` of the reader's line. */
function readInline(reader: Lines, line: string, from: number, indent: number): YamlNode | null {
  const c = line.charAt(from);
  if (c === '"' || c === "'") return readQuoted(reader, line, from, indent);
  if (c === '|' || c === '>') return readBlock(reader, line, from, indent);
  if (c === '[' || c === '{') {
    const flow = readFlow(reader, line, from, 0);
    if (!flow || !endsAfter(line, flow.end)) return null;
    reader.at++;
    return flow.node;
  }
  return startsPlain(line, from) ? readPlain(reader, line, from, indent) : null;
}
