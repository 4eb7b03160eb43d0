/**
 * Configs in YAML, read by pv's own reader; what it says about the habits of contracts is left out.
 */
import type { Code } from '../../../diagnostics/codes.ts';
import type { Staged } from '../../../diagnostics/diagnostic.ts';
import type { SourceFile } from '../../../diagnostics/source.ts';
import type { FileKind } from '../../../contract/yaml/hygiene.ts';
import { parseYaml } from '../../../contract/yaml/parse.ts';
import { repeatedKey, type DataNode } from './tree.ts';

/**
 * Remarks that do not touch a config: 1_000 and 3e-4 are numbers here, `on` is text until a name asks for a boolean,
 * and merge keys and tags are everyday YAML of training frameworks, whose readers know them.
 */
const beside: ReadonlySet<Code> = new Set<Code>(['PV-1011', 'PV-1013', 'PV-1015', 'PV-1016', 'PV-1018', 'PV-1020']);

/** A YAML config as a tree; the value is null if the text has syntax errors. */
export function parseYamlConfig(source: SourceFile): Staged<DataNode | null> {
  const { value, diagnostics } = parseClosed(source);
  const tagEnds = diagnostics.flatMap(({ code, span }) => (code === 'PV-1016' && span ? [span.range.end] : []));
  const tagged = value && tagEnds.length > 0 ? withTags(value, source.text, new Set(tagEnds)) : value;
  const repeated = diagnostics
    .filter(({ code }) => code === 'PV-1006')
    .flatMap(({ related }) => related.map(({ span }) => span.range.start));
  const single = tagged && repeated.length > 0 ? withoutRepeated(tagged, new Set(repeated)) : tagged;
  return {
    value: single && octal.test(source.text) ? withoutOctals(single) : single,
    diagnostics: diagnostics.filter(({ code }) => !beside.has(code)),
  };
}

/**
 * Python's YAML reader, for which these files are written, accepts a bracket that closes at the indentation of its key; YAML
 * requires a deeper one. Such a bracket is read as if it were at the end of the previous line; all positions stay the same.
 */
function parseClosed(source: SourceFile): Staged<DataNode | null> {
  const parsed = parseYaml(source, config);
  if (parsed.value || !parsed.diagnostics.some(({ code }) => code === 'PV-1022')) return parsed;
  const text = source.text.replace(/(?<=^[^#\r\n]*)\r?\n(?=[ \t]*[\]}])/gm, (end) => ' '.repeat(end.length));
  const closed = parseYaml({ ...source, text }, config);
  return closed.value ? closed : parsed;
}

const config: FileKind = { name: 'a config', start: 'Give the config that the run reads.' };

const octal = /\b0\d/;

/** `01604` is 900 to YAML 1.1, which PyYAML reads, and 1604 to YAML 1.2; `08` is a text to one and a number to the other. */
function withoutOctals(node: DataNode): DataNode {
  if (node.kind === 'mapping')
    return { ...node, entries: node.entries.map((entry) => ({ ...entry, value: withoutOctals(entry.value) })) };
  if (node.kind === 'sequence') return { ...node, items: node.items.map(withoutOctals) };
  if (typeof node.value !== 'number' || node.unread !== undefined || !/^[-+]?0\d+$/.test(node.text)) return node;
  const other = /[89]/.test(node.text) ? 'a text' : String(parseInt(node.text, 8));
  return other === String(node.value)
    ? node
    : { ...node, unread: `${node.text} is ${other} to PyYAML and ${node.value} to other readers` };
}

/** Of a key that is repeated, PyYAML takes the last value and this reader has the first: neither is what the config says. */
function withoutRepeated(node: DataNode, firstKeys: ReadonlySet<number>, isUnread = false): DataNode {
  const inside = (part: DataNode, isRepeated = false): DataNode =>
    withoutRepeated(part, firstKeys, isUnread || isRepeated);
  if (node.kind === 'mapping')
    return {
      ...node,
      entries: node.entries.map((entry) => ({
        ...entry,
        value: inside(entry.value, firstKeys.has(entry.keyRange.start)),
      })),
    };
  if (node.kind === 'sequence') return { ...node, items: node.items.map((item) => inside(item)) };
  return isUnread ? { ...node, unread: repeatedKey } : node;
}

/** `!env LR`, `!include base.yaml`: only the program that defines a tag knows the value. */
function withTags(node: DataNode, text: string, tagEnds: ReadonlySet<number>): DataNode {
  const inside = (part: DataNode): DataNode => withTags(part, text, tagEnds);
  if (node.kind === 'mapping')
    return { ...node, entries: node.entries.map((entry) => ({ ...entry, value: inside(entry.value) })) };
  if (node.kind === 'sequence') return { ...node, items: node.items.map(inside) };
  const before = text.slice(0, node.range.start).replace(/[\s"']+$/, '').length;
  return tagEnds.has(before) ? { ...node, unread: 'its value depends on its tag' } : node;
}
