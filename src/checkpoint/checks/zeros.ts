/**
 * Zeros where training left none: a torn file, a shard that was never written, or a model that was saved before it was filled.
 *
 * A state does not name its weight, so both are counted by shape: if more trained parameters than filled weights have a shape, one of
 * these weights is not what was trained. A weight that was frozen, pruned or never used has no moments either, and is not counted.
 */
import type { Checkpoint, OptimizerState, ParameterState, StoredTensor } from '../checkpoint.ts';
import type { Contents } from '../contents.ts';
import type { Details } from './check.ts';

/** Fewer numbers may all be zero on purpose, as a bias that was clamped. */
const fewest = 16;

/** The share of a tensor, from one of its ends, that must be zero to be a hole in a weight; and the most of it in whole moments. */
const [hole, whole] = [1 / 4, 1 / 8];

type Spans = ReadonlyMap<StoredTensor, Contents['tensors'][number]>;

/** What is zero and should not be; null if nothing is. */
export function zerosFound(checkpoint: Checkpoint, contents: Contents): Details | null {
  const spans: Spans = new Map(contents.tensors.map((checked) => [checked.tensor, checked]));
  const weights = checkpoint.weights.filter((tensor) => spans.has(tensor));
  const total = weights.reduce((sum, tensor) => sum + elements(tensor), 0);
  if (total >= fewest && weights.every((tensor) => edge(spans, tensor) === 1))
    return {
      expected: 'weights that are not all zero',
      actual: `all ${total} numbers of ${weights.length} weights are 0`,
      why: 'the file was never filled, or the model was emptied before it was saved',
      fix,
    };
  return checkpoint.optimizer && (emptyMoments(checkpoint.optimizer, spans) ?? holes(checkpoint, spans, weights));
}

const fix = 'Resume from an earlier checkpoint, or copy this one again.';

const elements = ({ shape }: StoredTensor): number => shape.reduce((product, n) => product * n, 1);

/** The longer of the runs of zeros at both ends, as a share of the tensor. */
function edge(spans: Spans, tensor: StoredTensor): number {
  const span = spans.get(tensor)?.nonZero ?? null;
  return span === null ? 1 : Math.max(span.first, tensor.bytes - 1 - span.last) / tensor.bytes;
}

const firstMoment = ({ tensors }: ParameterState): StoredTensor | undefined =>
  tensors.get('exp_avg') ?? tensors.get('momentum_buffer');

/** After a step, an average of gradients is zero only where every gradient was. */
function emptyMoments({ states }: OptimizerState, spans: Spans): Details | null {
  const moments = states.flatMap((state) => (state.step === 0 ? [] : (firstMoment(state) ?? [])));
  const total = moments.reduce((sum, tensor) => sum + elements(tensor), 0);
  if (total < fewest || !moments.every((tensor) => spans.get(tensor)?.nonZero === null)) return null;
  return {
    expected: 'moments of the steps that were taken',
    actual: `${moments[0]?.name} and all others like it are 0`,
    why: 'the moments were emptied although the steps were counted: the first updates after a resume would be of the wrong size',
    fix,
  };
}

function holes({ optimizer, position }: Checkpoint, spans: Spans, weights: readonly StoredTensor[]): Details | null {
  const still = new Set(
    optimizer?.groups
      .filter(({ learningRate, initialRate }) => learningRate === 0 && !initialRate)
      .flatMap(({ parameters }) => parameters),
  );
  const trained = new Map<string, number>();
  for (const state of optimizer?.states ?? []) {
    const moment = firstMoment(state);
    // A warm-up begins with a rate of 0, so that one step moves nothing.
    if (moment === undefined || (state.step ?? position?.globalStep ?? 0) < 2 || still.has(state.index)) continue;
    if (!spans.has(moment) || edge(spans, moment) >= whole) continue;
    trained.set(moment.shape.join(), (trained.get(moment.shape.join()) ?? 0) + 1);
  }
  for (const tensor of weights) {
    if (elements(tensor) < fewest || edge(spans, tensor) < hole) continue;
    const same = weights.filter(({ shape }) => shape.join() === tensor.shape.join());
    const filled = same.filter((one) => edge(spans, one) < hole).length;
    // Without a weight for each state, the optimizer is of another model, which another check reports.
    const states = trained.get(tensor.shape.join()) ?? 0;
    if (states > same.length || filled >= states) continue;
    const share = Math.round(100 * edge(spans, tensor));
    return {
      expected: `${states} trained weights of shape [${tensor.shape.join(', ')}] without long runs of zeros`,
      actual: `${share} % of ${tensor.name} in ${tensor.file}, from one of its ends, are 0`,
      why: 'the optimizer has moved every number of this weight: the file was torn, or a part of it never written',
      fix,
    };
  }
  return null;
}
