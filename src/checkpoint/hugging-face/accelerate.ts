/**
 * A folder of `Accelerator.save_state()`: weights, `optimizer.bin`, `scheduler.bin`, `scaler.pt` and `random_states_0.pkl`, of which
 * further ones are numbered. It does not say how many steps the run has taken.
 *
 * Source: accelerate 1.x, checkpointing.py (`save_accelerator_state`).
 */
import type { Problem } from '../../base/problem.ts';
import { ok, type Result } from '../../base/result.ts';
import { entriesOf, type Pickled } from '../../pickle/pickled.ts';
import { inFile, type CheckpointFiles } from '../checkpoint-files.ts';
import type { Checkpoint, OptimizerState, StoredTensor } from '../checkpoint.ts';
import { mergedOptimizers } from '../torch/optimizers.ts';
import { schedulerState, type FindTensor } from '../torch/training-state.ts';
import { asBytes } from '../whole-file.ts';
import { findTensor } from '../weights.ts';

const optimizerFile = /^optimizer(?:_\d+)?\.bin$/u;
const schedulerFile = /^scheduler(?:_\d+)?\.bin$/u;
const randomFile = /^random_states_\d+\.pkl$/u;

/** Whether there is more than weights. */
export const isAccelerateFolder = ({ names }: CheckpointFiles): boolean =>
  names.some((name) => optimizerFile.test(name) || randomFile.test(name));

/** The state of training in such a folder. */
export type AccelerateState = Pick<
  Checkpoint,
  'optimizer' | 'scheduler' | 'randomStates' | 'randomBytes' | 'lossScale'
>;

/** Reads everything but the weights; a problem names the file at fault. */
export async function accelerateState(files: CheckpointFiles): Promise<Result<AccelerateState, Problem>> {
  const optimizer = await readOptimizers(files);
  if (!optimizer.ok) return optimizer;
  const schedulers = await pickles(files, schedulerFile);
  if (!schedulers.ok) return schedulers;
  const random = await pickles(files, randomFile);
  if (!random.ok) return random;
  const scaler = await pickles(files, /^scaler\.pt$/u);
  if (!scaler.ok) return scaler;
  const randomBytes: StoredTensor[] = [];
  for (const name of files.names.filter((one) => randomFile.test(one))) {
    const source = await files.source(name);
    if (!source.ok) return source;
    randomBytes.push(asBytes(name, source.value));
  }
  const [scheduler = null, ...more] = schedulers.value;
  const scale = entriesOf(scaler.value[0])?.get('scale');
  return ok({
    optimizer: optimizer.value,
    // With several, none of them speaks for the run.
    scheduler: more.length > 0 ? null : schedulerState(scheduler),
    randomStates: random.value.length === 0 ? null : generatorsIn(random.value),
    randomBytes,
    lossScale: typeof scale === 'number' ? scale : null,
  });
}

/** In the order of their numbers. */
const inOrder = (names: readonly string[]): readonly string[] =>
  names.toSorted((a, b) => Number(/\d+/u.exec(a) ?? 0) - Number(/\d+/u.exec(b) ?? 0));

async function pickles(files: CheckpointFiles, pattern: RegExp): Promise<Result<readonly Pickled[], Problem>> {
  const found: Pickled[] = [];
  for (const name of inOrder(files.names.filter((one) => pattern.test(one)))) {
    const opened = await files.torch(name);
    if (!opened.ok) return opened;
    if (opened.value !== null) found.push(opened.value.file.pickle.value);
  }
  return ok(found);
}

async function readOptimizers(files: CheckpointFiles): Promise<Result<OptimizerState | null, Problem>> {
  const names = inOrder(files.names.filter((one) => optimizerFile.test(one)));
  const saved: { readonly value: Pickled; readonly find: FindTensor }[] = [];
  for (const name of names) {
    const opened = await files.torch(name);
    if (!opened.ok) return opened;
    const { value: torch } = opened;
    if (torch === null) continue;
    saved.push({ value: torch.file.pickle.value, find: (item, called) => findTensor(torch, name, item, called) });
  }
  const merged = await mergedOptimizers(saved);
  return merged.ok ? merged : inFile(names.join(', '), merged.error);
}

/** What accelerate calls the states of the generators. */
const generators: ReadonlyMap<Pickled, string> = new Map([
  ['random_state', 'python'],
  ['numpy_random_seed', 'numpy'],
  ['torch_manual_seed', 'cpu'],
  ['torch_cuda_manual_seed', 'cuda'],
]);

/** Those that every process has saved. */
const generatorsIn = (states: readonly Pickled[]): readonly string[] =>
  [...generators].flatMap(([key, name]) => (states.every((state) => entriesOf(state)?.has(key)) ? [name] : []));
