/** Two checkpoints of one run: what moved between them, what did not although the step did, and what is missing. */
import { ok, type Result } from '../base/result.ts';
import type { Problem } from '../base/problem.ts';
import { count, listOf, shortened } from '../base/text.ts';
import type { Checkpoint, ParameterState, Setting, StoredTensor } from './checkpoint.ts';
import { contentsOf } from './contents.ts';
import { changeBetween, type Change } from './numbers.ts';

/** One tensor in both checkpoints. */
export interface TensorChange {
  readonly name: string;
  readonly change: Change;
}

/** Tensors of one kind. */
export interface TensorChanges {
  readonly both: readonly TensorChange[];
  readonly onlyBefore: readonly string[];
  readonly onlyAfter: readonly string[];
  /** With another type or shape: `F32 [3, 2] → F32 [4, 2]`. */
  readonly reshaped: readonly { readonly name: string; readonly how: string }[];
}

/** A value that differs; null where a checkpoint does not have it. */
export interface Difference {
  readonly name: string;
  readonly before: Setting;
  readonly after: Setting;
}

/** What differs between two checkpoints. */
export interface Comparison {
  /** Optimizer steps and epochs, learning rates, scheduler and loss scale. */
  readonly progress: readonly Difference[];
  readonly settings: readonly Difference[];
  readonly weights: TensorChanges;
  readonly optimizer: TensorChanges;
  readonly others: TensorChanges;
  readonly onlyBefore: readonly string[];
  readonly onlyAfter: readonly string[];
  /** What training always moves and what did not move, though the step did. */
  readonly stale: readonly string[];
  /** Parts that only the first one has, and that a resume from the second would lose. */
  readonly missing: readonly string[];
  /** What no training does: steps that go back, weights that became zero or NaN. */
  readonly wrong: readonly string[];
  /** What is right only for some runs. */
  readonly suspicious: readonly string[];
  /** Files that are not as they were hashed. */
  readonly damaged: readonly string[];
}

/** Compares two open checkpoints; all tensors of both are read. */
export async function compareCheckpoints(before: Checkpoint, after: Checkpoint): Promise<Result<Comparison, Problem>> {
  const weights = await changesOf(before.weights, after.weights);
  if (!weights.ok) return weights;
  const optimizer = await changesOf(momentsOf(before), momentsOf(after));
  if (!optimizer.ok) return optimizer;
  const others = await changesOf(before.others, after.others);
  if (!others.ok) return others;
  const random = await changesOf(before.randomBytes ?? [], after.randomBytes ?? []);
  if (!random.ok) return random;
  const damaged: string[] = [];
  for (const [which, checkpoint] of [
    ['earlier', before],
    ['later', after],
  ] as const) {
    const found = await damagedFiles(checkpoint);
    if (!found.ok) return found;
    damaged.push(...found.value.map((what) => `in the ${which}: ${what}`));
  }
  const changes = { weights: weights.value, optimizer: optimizer.value, others: others.value };
  const onlyIn = (one: Checkpoint, other: Checkpoint): readonly string[] =>
    one.files.filter((name) => !other.files.includes(name));
  return ok({
    ...changes,
    progress: differences(progressOf(before), progressOf(after)),
    settings: differences(before.settings, after.settings).filter(({ name }) => !ofPosition.has(name)),
    onlyBefore: onlyIn(before, after),
    onlyAfter: onlyIn(after, before),
    stale: staleParts(before, after, changes),
    missing: missingParts(before, after, changes),
    wrong: wrongParts(before, after, changes),
    suspicious: suspiciousParts(before, after, random.value),
    damaged,
  });
}

/** Files that do not have the hash that is kept with the checkpoint, and those that are not there. */
async function damagedFiles(checkpoint: Checkpoint): Promise<Result<readonly string[], Problem>> {
  const { hashes } = checkpoint;
  if (hashes === undefined) return ok([]);
  const contents = await contentsOf(checkpoint);
  if (!contents.ok) return contents;
  const changed = hashes.files.filter(({ sha256 }, i) => contents.value.hashes[i] !== sha256);
  return ok([...hashes.missing, ...changed.map(({ name }) => `${name} is not as ${hashes.by} has it`)]);
}

/** Settings that `progress` has already. */
const ofPosition = new Set(['global_step', 'epoch', 'max_steps']);

const momentsOf = ({ optimizer }: Checkpoint): readonly StoredTensor[] =>
  (optimizer?.states ?? []).flatMap(({ tensors }) => [...tensors.values()]);

async function changesOf(
  before: readonly StoredTensor[],
  after: readonly StoredTensor[],
): Promise<Result<TensorChanges, Problem>> {
  const known = new Map(after.map((tensor) => [tensor.name, tensor]));
  const names = new Set(before.map(({ name }) => name));
  const both: TensorChange[] = [];
  const onlyBefore: string[] = [];
  const reshaped: { readonly name: string; readonly how: string }[] = [];
  for (const tensor of before) {
    const { name } = tensor;
    const other = known.get(name);
    if (other === undefined) onlyBefore.push(name);
    else if (formOf(tensor) !== formOf(other)) reshaped.push({ name, how: `${formOf(tensor)} → ${formOf(other)}` });
    else {
      const change = await changeBetween(tensor, other);
      if (!change.ok) return change;
      both.push({ name, change: change.value });
    }
  }
  return ok({ both, onlyBefore, reshaped, onlyAfter: [...known.keys()].filter((name) => !names.has(name)) });
}

const formOf = ({ dtype, shape }: StoredTensor): string => `${dtype} [${shape.join(', ')}]`;

function progressOf({ position, scheduler, optimizer, lossScale }: Checkpoint): ReadonlyMap<string, Setting> {
  const rates = (optimizer?.groups ?? []).map(({ learningRate }) => learningRate);
  const steps = stepsOf(optimizer?.states ?? []);
  return new Map<string, Setting>([
    ['step', position?.globalStep ?? null],
    ['epoch', position?.epoch ?? null],
    ['steps of the run', position?.maxSteps ?? null],
    ['steps of the optimizer', steps],
    [
      scheduler?.countsEpochs === true ? 'epochs of the scheduler' : 'steps of the scheduler',
      scheduler?.lastEpoch ?? null,
    ],
    ['learning rate', rates.length > 0 ? rates.map((rate) => rate ?? 'unknown').join(', ') : null],
    ['loss scale', lossScale],
  ]);
}

/** `1000`, or `990 to 1000`; null if none is known. */
function stepsOf(states: readonly ParameterState[]): string | null {
  let [least, most] = [Infinity, -Infinity];
  for (const { step } of states) if (step !== null) [least, most] = [Math.min(least, step), Math.max(most, step)];
  return most === -Infinity ? null : least === most ? String(most) : `${least} to ${most}`;
}

function differences(before: ReadonlyMap<string, Setting>, after: ReadonlyMap<string, Setting>): readonly Difference[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const [was, is] = [before.get(name) ?? null, after.get(name) ?? null];
    return Object.is(was, is) ? [] : [{ name, before: was, after: is }];
  });
}

type Changes = Pick<Comparison, 'weights' | 'optimizer'>;

/** Frozen weights and the states of frozen parameters stay as they were; not all of them. */
function staleParts(before: Checkpoint, after: Checkpoint, { weights, optimizer }: Changes): readonly string[] {
  const [from, to] = [before.position?.globalStep, after.position?.globalStep];
  if (from === undefined || to === undefined || to <= from) return [];
  const steps = `${to - from} ${to - from === 1 ? 'step' : 'steps'}`;
  const isStill = ({ both }: TensorChanges): boolean => both.length > 0 && both.every(({ change }) => change.isEqual);
  const [was, is] = [stepsOf(before.optimizer?.states ?? []), stepsOf(after.optimizer?.states ?? [])];
  const [first, second] = [before.scheduler, after.scheduler];
  return [
    ...(isStill(weights) ? [`no weight changed in ${steps}`] : []),
    ...(isStill(optimizer) ? [`no state of the optimizer changed in ${steps}`] : []),
    ...(was !== null && was === is ? [`the optimizer is still at step ${is}`] : []),
    ...(first && second && !second.countsEpochs && first.lastEpoch === second.lastEpoch
      ? [`the scheduler is still at step ${second.lastEpoch}`]
      : []),
  ];
}

const stepsBetween = (before: Checkpoint, after: Checkpoint): number | null =>
  before.position && after.position && after.position.globalStep - before.position.globalStep;

function wrongParts(before: Checkpoint, after: Checkpoint, { weights, optimizer }: Changes): readonly string[] {
  const steps = stepsBetween(before, after);
  const named = (changes: readonly TensorChange[]): string =>
    listOf(
      changes.map(({ name }) => shortened(name)),
      5,
    );
  const having = ({ both }: TensorChanges, test: (was: number, is: number) => boolean): readonly TensorChange[] =>
    both.filter(({ change: { norms } }) => norms !== null && test(norms.before, norms.after));
  const becameZero = (was: number, is: number): boolean => was > 0 && is === 0;
  const zeros = having(weights, becameZero);
  const diverged = [weights, optimizer].flatMap((changes) =>
    having(changes, (was, is) => Number.isFinite(was) && !Number.isFinite(is)),
  );
  const wereUsed = having(optimizer, (was) => was > 0);
  return [
    ...(steps !== null && steps < 0
      ? [
          `the step goes back from ${before.position?.globalStep} to ${after.position?.globalStep}: the first checkpoint must be the earlier one`,
        ]
      : []),
    ...(zeros.length > 0 ? [`all numbers became zero in ${named(zeros)}`] : []),
    ...(diverged.length > 0 ? [`numbers are no longer finite in ${named(diverged)}`] : []),
    ...(wereUsed.length > 0 && having(optimizer, becameZero).length === wereUsed.length
      ? ['all numbers of the optimizer became zero: it started afresh']
      : []),
  ];
}

/** A run that draws no random number, without dropout and within one epoch, keeps its random states. */
function suspiciousParts(before: Checkpoint, after: Checkpoint, { both }: TensorChanges): readonly string[] {
  const steps = stepsBetween(before, after) ?? 0;
  return steps > 0 && both.length > 0 && both.every(({ change }) => change.isEqual)
    ? [
        `the random states are the same after ${count(steps, 'step')}, which is right only if nothing drew a random number (no dropout, no shuffling)`,
      ]
    : [];
}

function missingParts(before: Checkpoint, after: Checkpoint, { weights, optimizer }: Changes): readonly string[] {
  const lost = (what: string, names: readonly string[]): readonly string[] =>
    names.length > 0 ? [`${names.length} ${what}, such as ${names[0]}`] : [];
  return [
    ...(before.optimizer && !after.optimizer
      ? ['the optimizer']
      : lost('tensors of the optimizer', optimizer.onlyBefore)),
    ...(before.scheduler && !after.scheduler ? ['the scheduler'] : []),
    ...(before.lossScale !== null && after.lossScale === null ? ['the loss scale'] : []),
    ...(before.randomStates && !after.randomStates ? ['the random states'] : []),
    ...lost('random states', after.randomStates ? lostStates(before.randomStates, after.randomStates) : []),
    ...lost('weights', weights.onlyBefore),
    ...lost('weights that a file announces', after.missingWeights),
  ];
}

const lostStates = (before: Checkpoint['randomStates'], after: readonly string[]): readonly string[] =>
  (before ?? []).filter((name) => !after.includes(name));
