/**
 * Histories in one JSON document that are not a list of rows, made one: lists side by side (a dump of Keras's
 * `history.history`), columns of pandas' `to_json`, a value per entry (MLflow's metric history), and what TensorBoard's page
 * downloads of one chart.
 */
import { count } from '../../base/text.ts';
import { diagnostic, type Diagnostic, type Staged } from '../../diagnostics/diagnostic.ts';
import type { SourceFile } from '../../diagnostics/source.ts';
import { knownKey } from './log-names.ts';
import { valueParts } from './stream/value-rows.ts';
import { childOf, type DataNode, type MappingNode, type ScalarNode, type SequenceNode } from './syntax/tree.ts';

type Entry = MappingNode['entries'][number];

/** The document with its history as a list of rows under `log_history`, or as its root; unchanged if it has none of these. */
export function withRows(source: SourceFile, root: DataNode): Staged<DataNode> {
  const list = rowsOfValues(root) ?? rowsOfChart(source, root);
  if (list) return { value: list, diagnostics: [] };
  if (root.kind !== 'mapping' || childOf(root, 'log_history') !== null) return { value: root, diagnostics: [] };
  for (const entry of [null, ...root.entries]) {
    const holder = entry === null ? root : entry.value;
    const rows = rowsOfValues(entry === null ? null : holder) ?? rowsOfColumns(source, holder);
    if (rows === null) continue;
    const [value, diagnostics] = 'kind' in rows ? [rows, []] : [rows.value, rows.diagnostics];
    const isColumn = new Set(entry === null ? columnsOf(root).map(({ key }) => key) : [entry.key]);
    const rest = root.entries.filter(({ key }) => !isColumn.has(key));
    const history = { key: 'log_history', keyRange: value.range, value };
    return { value: { ...root, entries: [...rest, history] }, diagnostics };
  }
  return { value: root, diagnostics: [] };
}

interface Column {
  readonly key: string;
  readonly keyRange: Entry['keyRange'];
  readonly items: readonly ScalarNode[];
}

/** Lists of scalars, and mappings from 0, 1, 2 … to scalars. */
function columnsOf(node: DataNode): readonly Column[] {
  if (node.kind !== 'mapping') return [];
  return node.entries.flatMap(({ key, keyRange, value }) => {
    const items =
      value.kind === 'sequence'
        ? value.items
        : value.kind === 'mapping' && value.entries.every((one, i) => one.key === String(i))
          ? value.entries.map((one) => one.value)
          : [];
    const scalars = items.filter((item) => item.kind === 'scalar');
    return scalars.length > 0 && scalars.length === items.length ? [{ key, keyRange, items: scalars }] : [];
  });
}

const isLoss = (key: string): boolean => ['loss', 'eval_loss'].includes(knownKey(key).name);

/** Rows of columns that are as long as the loss; Keras keeps a value per epoch, and no column for the epoch. */
function rowsOfColumns(source: SourceFile, node: DataNode): Staged<SequenceNode> | null {
  const columns = columnsOf(node);
  const loss = columns.find(({ key }) => knownKey(key).name === 'loss') ?? columns.find(({ key }) => isLoss(key));
  if (!loss) return null;
  const { length } = loss.items;
  const even = columns.filter(({ items }) => items.length === length);
  const isCounted = even.some(({ key }) => ['step', 'epoch'].includes(knownKey(key).name));
  const items = loss.items.map(({ range }, row): MappingNode => {
    const epoch: ScalarNode = { kind: 'scalar', value: row + 1, text: String(row + 1), range };
    const cells = even.flatMap(({ key, keyRange, items: cells }): Entry[] => {
      const value = cells[row];
      return value ? [{ key, keyRange, value }] : [];
    });
    const entries = isCounted ? cells : [{ key: 'epoch', keyRange: range, value: epoch }, ...cells];
    return { kind: 'mapping', entries, range };
  });
  const uneven = columns.filter((column) => !even.includes(column));
  return {
    value: { kind: 'sequence', items, range: node.range },
    diagnostics: uneven.map((column) => unevenColumn(source, column, loss)),
  };
}

function unevenColumn(source: SourceFile, { key, keyRange, items }: Column, loss: Column): Diagnostic {
  const message = `${key} has ${count(items.length, 'value')}, and ${loss.key} has ${loss.items.length}`;
  return diagnostic('PV-7021', { source, range: keyRange }, message, {
    hint: 'Lists side by side are rows only if they are equally long: this one is not read. Write one object per row.',
  });
}

interface Joined {
  readonly step: ScalarNode;
  readonly cells: Map<string, Entry>;
}

/**
 * Values that come one at a time, each with its name and step; those of one step are a row. Rows are in the order of their
 * steps, unless a name repeats a step: then the run was started again, and the order of the file shows it.
 */
function rowsOfValues(node: DataNode | null): SequenceNode | null {
  if (node?.kind !== 'sequence' || node.items.length === 0) return null;
  const rows: Joined[] = [];
  const rowOfStep = new Map<string, Joined>();
  let repeats = false;
  for (const item of node.items) {
    const parts = item.kind === 'mapping' ? valueParts(item.entries.map(({ key }) => key)) : null;
    const [name, value, step] = [
      scalarAt(item, parts?.name),
      scalarAt(item, parts?.value),
      scalarAt(item, parts?.step),
    ];
    if (typeof name?.value !== 'string' || !value || !step) return null;
    let row = rowOfStep.get(step.text);
    repeats ||= row?.cells.has(name.value) === true;
    if (!row || row.cells.has(name.value)) {
      row = { step, cells: new Map() };
      rowOfStep.set(step.text, row);
      rows.push(row);
    }
    row.cells.set(name.value, { key: name.value, keyRange: name.range, value });
  }
  const ordered = repeats ? rows : rows.toSorted((a, b) => Number(a.step.text) - Number(b.step.text));
  const items = ordered.map(({ step, cells }): MappingNode => {
    const entries = [{ key: 'step', keyRange: step.range, value: step }, ...cells.values()];
    return { kind: 'mapping', entries, range: step.range };
  });
  return { kind: 'sequence', items, range: node.range };
}

/** `[[wall_time, step, value], …]`: the name of the value is only in the name of the file, `run-A-tag-train_loss.json`. */
function rowsOfChart({ path }: SourceFile, root: DataNode): SequenceNode | null {
  if (root.kind !== 'sequence' || root.items.length === 0) return null;
  const file = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  const name = file.replace(/\.json(?:\.gz)?$/i, '').replace(/^.*-tag-/, '');
  const keys = ['wall_time', 'step', name === '' ? 'value' : name];
  const items = root.items.flatMap((item): MappingNode[] => {
    const cells = item.kind === 'sequence' ? item.items.filter(isNumber) : [];
    if (item.kind !== 'sequence' || item.items.length !== 3 || cells.length !== 3) return [];
    const entries = cells.map((value, at) => ({ key: keys[at] ?? 'value', keyRange: value.range, value }));
    return [{ kind: 'mapping', entries, range: item.range }];
  });
  return items.length === root.items.length ? { ...root, items } : null;
}

/** Also NaN and infinities, which TensorBoard writes as texts. */
const isNumber = (node: DataNode): node is ScalarNode =>
  node.kind === 'scalar' && (typeof node.value === 'number' || /^(?:NaN|-?Infinity)$/.test(node.text));

function scalarAt(item: DataNode, at: number | undefined): ScalarNode | null {
  const found = item.kind === 'mapping' && at !== undefined ? item.entries[at]?.value : undefined;
  return found?.kind === 'scalar' ? found : null;
}
