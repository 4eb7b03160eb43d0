/**
 * Levels and results that a file declares about itself. They are never evidence; a rule says so.
 */
import type { SourceFile } from '../../diagnostics/source.ts';
import type { Located } from '../contract.ts';
import type { YamlEntry, YamlMapping, YamlNode } from '../yaml/node.ts';

const declaring: ReadonlySet<string> = new Set([
  'status',
  'proof_level',
  'enforcement_level',
  'locked_level',
  'actually_verified',
  'verified',
  'proved',
]);

/** `proof_obligations[2].lean.status: proved`, in the order of the file. */
export function declarationsIn(source: SourceFile, root: YamlMapping): readonly Located<string>[] {
  return root.entries.flatMap((entry) => inEntry(source, entry, '', false));
}

function inEntry(source: SourceFile, entry: YamlEntry, path: string, all: boolean): readonly Located<string>[] {
  const here = path === '' ? entry.key : `${path}.${entry.key}`;
  if (entry.value.kind !== 'scalar')
    return inNode(source, entry.value, here, all || entry.key === 'verification_summary');
  if (!all && !declaring.has(entry.key)) return [];
  return [
    {
      value: `${here}: ${entry.value.text}`,
      span: {
        source,
        range: { start: entry.keyRange.start, end: Math.max(entry.keyRange.end, entry.value.range.end) },
      },
    },
  ];
}

function inNode(source: SourceFile, node: YamlNode, path: string, all: boolean): readonly Located<string>[] {
  if (node.kind === 'mapping') return node.entries.flatMap((entry) => inEntry(source, entry, path, all));
  if (node.kind === 'sequence') return node.items.flatMap((item, i) => inNode(source, item, `${path}[${i}]`, all));
  return [];
}
