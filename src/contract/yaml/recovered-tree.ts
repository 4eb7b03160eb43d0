/**
 * The tree to which the package `yaml` parses a broken document, in the form that decoding reads.
 */
import type * as Yaml from 'yaml';
import type { Pair, ParsedNode, Scalar } from 'yaml';
import type { Range } from '../../diagnostics/source.ts';
import type { ScalarStyle, YamlEntry, YamlNode, YamlScalar } from './node.ts';
import { resolvePlain } from './scalar.ts';

/** The package, which nothing but a broken file loads. */
export type YamlPackage = typeof Yaml;

const styles: Readonly<Record<string, ScalarStyle>> = {
  PLAIN: 'plain',
  QUOTE_SINGLE: 'single',
  QUOTE_DOUBLE: 'double',
  BLOCK_LITERAL: 'literal',
  BLOCK_FOLDED: 'folded',
};

/** Null for an alias: its anchor may be in the broken part. */
export function recoveredNode(yaml: YamlPackage, text: string, node: ParsedNode): YamlNode | null {
  const range = { start: node.range[0], end: node.range[1] };
  if (yaml.isScalar(node)) return scalarOf(text, node, range);
  if (yaml.isSeq<ParsedNode>(node))
    return { kind: 'sequence', range, items: node.items.flatMap((item) => recoveredNode(yaml, text, item) ?? []) };
  if (!yaml.isMap<ParsedNode, ParsedNode | null>(node)) return null;
  const entries = new Map<string, YamlEntry>();
  for (const pair of node.items) {
    const entry = entryOf(yaml, text, pair);
    // As in a whole document, the first of two equal keys is read.
    if (entry && !entries.has(entry.key)) entries.set(entry.key, entry);
  }
  return { kind: 'mapping', range, entries: [...entries.values()] };
}

function entryOf(yaml: YamlPackage, text: string, pair: Pair<ParsedNode, ParsedNode | null>): YamlEntry | null {
  if (!yaml.isScalar(pair.key)) return null;
  const key = scalarOf(text, pair.key, { start: pair.key.range[0], end: pair.key.range[1] });
  const present = pair.value !== null && pair.value.range[0] < pair.value.range[1];
  const value = pair.value && present ? recoveredNode(yaml, text, pair.value) : missing(key.range);
  return value && { key: key.text, keyRange: key.range, value };
}

/** A missing value has its key's place. */
const missing = (range: Range): YamlScalar => ({
  kind: 'scalar',
  text: '',
  value: null,
  style: 'plain',
  range,
  indent: -1,
});

function scalarOf(text: string, node: Scalar.Parsed, range: Range): YamlScalar {
  const style = styles[node.type ?? 'PLAIN'] ?? 'plain';
  const content = node.source ?? '';
  const value = style === 'plain' ? resolvePlain(content) : content;
  if (style === 'plain') return { kind: 'scalar', text: content, value, style, range, indent: -1 };
  if (style === 'single' || style === 'double') {
    const inner = { start: range.start + 1, end: Math.max(range.start + 1, range.end - 1) };
    return { kind: 'scalar', text: content, value, style, range: inner, indent: -1 };
  }
  const body = blockBody(text, range);
  const indent = body.start - (text.lastIndexOf('\n', body.start - 1) + 1);
  return { kind: 'scalar', text: content, value, style, range: body, indent };
}

/** A block without its header and the white space around it. */
function blockBody(text: string, { start, end }: Range): Range {
  const header = text.indexOf('\n', start);
  const from = header < 0 || header > end ? end : header;
  const body = text.slice(from, end);
  return { start: from + body.length - body.trimStart().length, end: from + Math.max(0, body.trimEnd().length) };
}
