/**
 * What every config syntax becomes: scalars with places, in mappings and lists. A tree of YAML fits as it is.
 */
import type { Range } from '../../../diagnostics/source.ts';

/** Why a value is not known whose key is there twice. */
export const repeatedKey = 'its key is repeated in this mapping';

/** A leaf of a config. */
export interface ScalarNode {
  readonly kind: 'scalar';
  readonly value: number | string | boolean | null;
  /** As written, without quotes. */
  readonly text: string;
  readonly range: Range;
  /** Why the value is not in the file: it is determined when the run starts. The key is set nevertheless. */
  readonly unread?: string;
}

/** An object, table or dict. */
export interface MappingNode {
  readonly kind: 'mapping';
  /** In the order of the file, keys unique. */
  readonly entries: readonly { readonly key: string; readonly keyRange: Range; readonly value: DataNode }[];
  readonly range: Range;
}

/** A list. */
export interface SequenceNode {
  readonly kind: 'sequence';
  readonly items: readonly DataNode[];
  readonly range: Range;
}

/** Any node of a config. */
export type DataNode = ScalarNode | MappingNode | SequenceNode;

/** One scalar under its whole key path. */
export interface KeyedScalar extends ScalarNode {
  readonly key: string;
}

/** Scalars that a config may hold; YAML's aliases can repeat small texts into many. */
const KEYED_LIMIT = 200_000;

/**
 * Every scalar with its key path: `training.max_steps`, `data.train[0].path`. Stops after {@link KEYED_LIMIT} scalars;
 * `skip` leaves out everything under a path.
 */
export function keyedScalars(root: DataNode, skip: (path: string) => boolean = () => false): readonly KeyedScalar[] {
  const found: KeyedScalar[] = [];
  const walk = (node: DataNode, path: string): void => {
    if (found.length >= KEYED_LIMIT || skip(path)) return;
    if (node.kind === 'scalar') {
      const { value, text, range, unread = placeholderIn(node) } = node;
      found.push({ kind: 'scalar', key: path, value, text, range, ...(unread === undefined ? {} : { unread }) });
    } else if (node.kind === 'mapping') {
      for (const { key, value } of mergedEntries(node)) walk(value, path === '' ? key : `${path}.${key}`);
    } else for (const [i, item] of node.items.entries()) walk(item, `${path}[${i}]`);
  };
  walk(root, '');
  return found;
}

/** The entries of a mapping, with those that a merge key `<<` of YAML 1.1 brings in: its own take precedence, then the first. */
function mergedEntries({ entries }: MappingNode): MappingNode['entries'] {
  if (!entries.some(({ key }) => key === '<<')) return entries;
  const merged = new Map<string, MappingNode['entries'][number]>();
  for (const entry of entries) if (entry.key !== '<<') merged.set(entry.key, entry);
  for (const { key, keyRange, value } of entries) {
    if (key !== '<<') continue;
    for (const source of value.kind === 'sequence' ? value.items : [value])
      for (const entry of mergeable(source, { key, keyRange, value: source }))
        if (!merged.has(entry.key)) merged.set(entry.key, entry);
  }
  return [...merged.values()];
}

/** What a merge key brings in; a text in its place (`<<: !include base.yaml`) stays the value of the key. */
function mergeable(source: DataNode, itself: MappingNode['entries'][number]): MappingNode['entries'] {
  if (source.kind === 'mapping') return mergedEntries(source);
  return source.kind === 'scalar' && typeof source.value === 'string' ? [itself] : [];
}

/** `${LR}`, `${oc.env:LR}`, `{{ lr }}`, `$LR`, `$(nproc)`, `%LR%`: values that another program fills in before the run. */
const placeholder = /\$\{[^}]*\}|\{\{[^}]*\}\}|^\s*\$\(|^\s*\$[A-Za-z_]\w*\s*$|^\s*%[A-Za-z_]\w*%\s*$/;

function placeholderIn({ value }: ScalarNode): string | undefined {
  return typeof value === 'string' && placeholder.test(value) ? 'it is filled in before the run' : undefined;
}

/** The child of a mapping, or null. */
export function childOf(node: DataNode, key: string): DataNode | null {
  if (node.kind !== 'mapping') return null;
  return node.entries.find((entry) => entry.key === key)?.value ?? null;
}
