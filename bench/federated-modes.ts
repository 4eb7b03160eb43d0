/**
 * The error of each mode of aggregation: `node scripts/run.mjs bench/federated-modes.ts`.
 *
 * ‖ΔW − mean of the products‖_F / ‖mean of the products‖_F for ten participants with adapters of rank 8 on a layer of 96 × 96, whose A
 * drift from a common A by a share of its size, or have nothing in common; B is trained by each on its own. docs/federated-aggregation.md
 * has the figures.
 */
import { invariant } from '../src/base/invariant.ts';
import { readAdapter, writeAdapter } from '../src/federated/adapter/adapter-file.ts';
import { readerOf } from '../src/federated/adapter/adapter-reader.ts';
import { factorNames, type StateDict } from '../src/federated/adapter/layout.ts';
import { aggregate, type Mode } from '../src/federated/aggregate/aggregate.ts';
import { streamFor, unitDouble } from '../src/numeric/xoshiro.ts';

const [size, rank, participants] = [96, 8, 10];
const { a: aName, b: bName } = factorNames('layer');
const modes: readonly Mode[] = ['ffa', 'stack', 'svd', 'fedit'];

/** Nearly normal numbers with variance 1. */
function numbers(name: string, count: number): Float32Array {
  const stream = streamFor(1, name);
  const draw = (): number => Array.from({ length: 12 }, () => unitDouble(stream)).reduce((sum, x) => sum + x, -6);
  return Float32Array.from({ length: count }, draw);
}

const common = numbers('common', rank * size);

/** Participant p: A is the common one with `drift` of its own, or its own alone for Infinity; B is a common one with its own. */
function adapterOf(p: number, drift: number): StateDict {
  const [own, trained, shared] = [
    numbers(`A${p}`, rank * size),
    numbers(`B${p}`, size * rank),
    numbers('B', size * rank),
  ];
  const a = common.map((x, i) => (drift === Infinity ? (own[i] ?? NaN) : x + drift * (own[i] ?? NaN)));
  return new Map([
    [aName, { shape: [rank, size], data: a }],
    [bName, { shape: [size, rank], data: shared.map((x, i) => x + 0.5 * (trained[i] ?? NaN)) }],
  ]);
}

function product(adapter: StateDict): Float64Array {
  const [a, b] = [adapter.get(aName), adapter.get(bName)];
  invariant(a !== undefined && b !== undefined, 'an adapter has its factors');
  const [inner = 0] = a.shape;
  return Float64Array.from({ length: size * size }, (_, at) => {
    const [i, j] = [Math.floor(at / size), at % size];
    let sum = 0;
    for (let k = 0; k < inner; k++) sum += (b.data[i * inner + k] ?? NaN) * (a.data[k * size + j] ?? NaN);
    return sum;
  });
}

async function errorOf(mode: Mode, drift: number): Promise<string> {
  const adapters = Array.from({ length: participants }, (_, p) => adapterOf(p, drift));
  const parts: Uint8Array[] = [];
  const from = adapters.map((adapter, p) => ({ id: `${p}`, samples: 1, adapter: readerOf(writeAdapter(adapter)) }));
  const rule = { name: 'fedavg', faulty: 0, normBound: null } as const;
  const report = await aggregate(from, { mode, rule, alpha: rank, start: null }, (part) => void parts.push(part));
  if (!report.ok) return 'refused';
  const read = readAdapter(Uint8Array.from(Buffer.concat(parts)));
  invariant(read.ok, 'the aggregate is an adapter');
  const [found, products] = [product(read.value), adapters.map(product)];
  let [error, length] = [0, 0];
  for (let i = 0; i < found.length; i++) {
    const mean = products.reduce((sum, one) => sum + (one[i] ?? NaN), 0) / participants;
    error += ((found[i] ?? NaN) - mean) ** 2;
    length += mean ** 2;
  }
  return Math.sqrt(error / length).toExponential(1);
}

console.log(`| A | ${modes.map((mode) => `\`${mode}\``).join(' | ')} |`);
console.log(`| --- | ${modes.map(() => '---').join(' | ')} |`);
for (const [name, drift] of [
  ['frozen', 0],
  ['5 % drift', 0.05],
  ['30 % drift', 0.3],
  ['different', Infinity],
] as const) {
  const cells: string[] = [];
  for (const mode of modes) cells.push(await errorOf(mode, drift));
  console.log(`| ${name} | ${cells.join(' | ')} |`);
}
