/** Parameters of a run, `params/NAME`, whose content is the value as Python's `str` writes it. */
import type { Host } from '../../../host/host.ts';
import type { DataOptions, DataScalar } from '../data-set.ts';
import { chooseFormat } from '../choose-format.ts';
import { nameScalars } from '../formats/apply.ts';
import type { KeyedScalar } from '../syntax/tree.ts';
import type { NamedFile } from './run-folder.ts';

/** MLflow allows 6000 characters. */
const MAX_BYTES = 64 * 1024;

interface Params {
  readonly values: ReadonlyMap<string, DataScalar>;
  readonly unused: readonly DataScalar[];
}

/** The parameters under the names of the trainer whose keys they are; a value that is too long is left out, it is a document. */
export async function readParams(
  host: Host,
  folder: string,
  files: readonly NamedFile[],
  { mapping }: Pick<DataOptions, 'mapping'>,
): Promise<Params> {
  const texts = new Map<string, { readonly path: string; readonly text: string }>();
  for (const { name, path } of files) {
    const text = await host.readText(path, { maxBytes: MAX_BYTES });
    if (text.ok) texts.set(name.replaceAll('/', '.'), { path, text: text.value });
  }
  const scalars = [...texts].map(([key, { text }]) => scalarOf(key, text));
  const source = { path: folder, text: '' };
  const root = { kind: 'mapping', entries: [], range: { start: 0, end: 0 } } as const;
  const { format } = chooseFormat(source, root, scalars, mapping === undefined ? {} : { mapping }, true);
  if (format === null) return { values: new Map(), unused: [] };
  const named = nameScalars(source, scalars, format, mapping ?? new Map());
  const inItsFile = (scalar: DataScalar): DataScalar => {
    const file = texts.get(scalar.key);
    if (!file) return scalar;
    return { ...scalar, line: 1, column: 1, span: { source: file, range: { start: 0, end: file.text.length } } };
  };
  const values = [...named.values].map(([name, scalar]): [string, DataScalar] => [name, inItsFile(scalar)]);
  return {
    // The config of a model is logged with the arguments, and its max_length is that of generation.
    values: new Map(values.filter(([name, { key }]) => name !== 'seq_len' || key !== 'max_length')),
    unused: named.unused.map(inItsFile),
  };
}

const words: ReadonlyMap<string, boolean | null> = new Map([
  ['True', true],
  ['False', false],
  ['None', null],
]);

function scalarOf(key: string, written: string): KeyedScalar {
  const text = written.trim();
  const isNumber = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(text);
  const word = words.get(text);
  const value = isNumber ? Number(text) : word === undefined ? text : word;
  return { kind: 'scalar', key, value, text, range: { start: 0, end: 0 } };
}
