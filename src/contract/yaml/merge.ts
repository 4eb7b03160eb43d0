/**
 * Merge keys (`<<: *defaults`) of YAML 1.1: keys of the merged mappings that the mapping itself does not have.
 */
import type { Range } from '../../diagnostics/source.ts';
import type { YamlEntry, YamlMapping, YamlNode } from './node.ts';

/** The entries with merges carried out; `onMerge` is called with the place of each merge key. */
export function mergeInto(entries: readonly YamlEntry[], onMerge: (range: Range) => void): readonly YamlEntry[] {
  const merge = entries.find((entry) => entry.key === '<<' && mappingsOf(entry.value) !== null);
  if (!merge) return entries;
  onMerge(merge.keyRange);
  const result = entries.filter((entry) => entry !== merge);
  const present = new Set(result.map((entry) => entry.key));
  for (const entry of (mappingsOf(merge.value) ?? []).flatMap((mapping) => mapping.entries)) {
    if (present.has(entry.key)) continue;
    present.add(entry.key);
    result.push(entry);
  }
  return result;
}

function mappingsOf(node: YamlNode): readonly YamlMapping[] | null {
  if (node.kind === 'mapping') return [node];
  if (node.kind !== 'sequence') return null;
  const mappings = node.items.filter((item): item is YamlMapping => item.kind === 'mapping');
  return mappings.length === node.items.length ? mappings : null;
}
