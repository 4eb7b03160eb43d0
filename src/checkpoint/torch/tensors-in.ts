/** All tensors in a pickle, by the path of keys that leads to them. */
import { wrong, type Problem } from '../../base/problem.ts';
import { ok, type Result } from '../../base/result.ts';
import { entriesOf, isPickled, itemsOf, type Pickled } from '../../pickle/pickled.ts';
import type { OpenedTorch } from '../checkpoint-files.ts';
import type { StoredTensor } from '../checkpoint.ts';
import { findTensor } from '../weights.ts';

const mostTensors = 1_000_000;

/** Parts of a path that every module of PyTorch has. */
const ofModules = new Set(['_modules', '_parameters', '_buffers']);

/** A container that several names share is read once, under the first of them. PV-8503 if a tensor is not in its storage. */
export function tensorsIn(
  opened: OpenedTorch,
  file: string,
  value: Pickled,
  under = '',
): Result<readonly StoredTensor[], Problem> {
  const found: StoredTensor[] = [];
  const seen = new Set<Pickled>();
  const waiting: (readonly [path: string, value: Pickled])[] = [[under, value]];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [path, inner] = next;
    const tensor = findTensor(opened, file, inner, path === '' ? 'the tensor' : path);
    if (!tensor.ok) return tensor;
    if (tensor.value !== null) found.push(tensor.value);
    if (found.length > mostTensors)
      return wrong('PV-8503', 'tensor', `The file has more than ${mostTensors} tensors, the most that pv reads.`);
    if (tensor.value !== null || typeof inner !== 'object' || inner === null || seen.has(inner)) continue;
    seen.add(inner);
    const parts = [...partsOf(inner)].toReversed();
    for (const [key, part] of parts) waiting.push([joined(path, key), part]);
  }
  return ok(found);
}

const joined = (path: string, key: string): string =>
  key === '' || ofModules.has(key) ? path : path === '' ? key : `${path}.${key}`;

/** Numbers and texts hold no tensors. */
const mayHold = (value: Pickled): boolean => typeof value === 'object' && value !== null;

/** The values in a container or an object that may hold tensors, with their keys. */
function* partsOf(value: Pickled): Iterable<readonly [key: string, value: Pickled]> {
  yield* entriesIn(entriesOf(value) ?? new Map());
  yield* itemsIn(itemsOf(value) ?? []);
  if (!isPickled(value, 'call')) return;
  yield ['', value.arguments];
  yield ['', value.state];
  yield* itemsIn(value.items);
  if (entriesOf(value) === null) yield* entriesIn(value.entries);
}

function* entriesIn(entries: ReadonlyMap<Pickled, Pickled>): Iterable<readonly [key: string, value: Pickled]> {
  for (const [key, item] of entries) if (mayHold(item)) yield [keyText(key), item];
}

function* itemsIn(items: readonly Pickled[]): Iterable<readonly [key: string, value: Pickled]> {
  for (const [index, item] of items.entries()) if (mayHold(item)) yield [String(index), item];
}

const keyText = (key: Pickled): string => (typeof key === 'object' ? '?' : String(key));
