/**
 * Three ways to apply an update so that it can still be refused. All three leave the same bytes, accepted or refused; they
 * differ in what they hold in the meantime.
 */
import { present } from '../../base/invariant.ts';
import type { Slots } from '../optimizer/optimizer.ts';
import type { Layer } from '../parameters.ts';

/**
 * - `delta-apply` computes each layer into one scratch layer, checks it there, and recomputes it in place once everything is
 *   accepted. It holds one layer's weights and optimizer state.
 * - `chunked-rollback` updates one layer after another in place, keeps the replaced values, and stops at the first failure. It
 *   holds the layers touched so far.
 * - `full-snapshot` copies everything first.
 */
export type RollbackStrategy = 'delta-apply' | 'chunked-rollback' | 'full-snapshot';

export const rollbackStrategies: readonly RollbackStrategy[] = ['delta-apply', 'chunked-rollback', 'full-snapshot'];

/** One update of all parameters. */
export interface Update {
  readonly layers: readonly Layer[];
  /** The current arrays of parameter `i`; `compute` and rollback write to them. */
  readonly slots: (i: number) => Slots;
  /** Writes the next arrays of parameter `i` into `next`, which may be the current ones. */
  readonly compute: (i: number, next: Slots) => void;
  /** Checks a proposed layer; false if the update is refused. */
  readonly checkLayer: (layer: Layer, weights: readonly Float32Array[]) => boolean;
  /** Checks all proposed weights, which are in place by then; null if no check needs them. */
  readonly checkModel: (() => boolean) | null;
}

/** Applies an update if its checks accept it; otherwise leaves every byte unchanged. */
export function applyUpdate(strategy: RollbackStrategy, update: Update): boolean {
  if (strategy === 'chunked-rollback') return chunked(update);
  // A check of the whole model needs the proposed weights in place, and therefore a copy of the old ones.
  return strategy === 'full-snapshot' || update.checkModel !== null ? snapshot(update) : deltaApply(update);
}

function deltaApply({ layers, slots, compute, checkLayer }: Update): boolean {
  const scratch = new Map<number, Slots>();
  for (const layer of layers) {
    const proposed = layer.members.map((i, nth) => {
      const next = scratchLike(scratch, nth, slots(i));
      compute(i, next);
      return next.weights;
    });
    if (!checkLayer(layer, proposed)) return false;
  }
  for (const { members } of layers) for (const i of members) compute(i, slots(i));
  return true;
}

/** Arrays like `now` for the `nth` member of a layer, shared by layers of equal size. */
function scratchLike(scratch: Map<number, Slots>, nth: number, now: Slots): Slots {
  const kept = scratch.get(nth);
  if (kept !== undefined && kept.weights.length === now.weights.length) return kept;
  const made: Slots = {
    weights: new Float32Array(now.weights.length),
    state: now.state.map(({ length }) => new Float32Array(length)),
  };
  scratch.set(nth, made);
  return made;
}

function chunked({ layers, slots, compute, checkLayer, checkModel }: Update): boolean {
  const replaced = new Map<number, Slots>();
  return undoable(replaced, slots, () => {
    for (const layer of layers) {
      for (const i of layer.members) {
        replaced.set(i, copyOf(slots(i)));
        compute(i, slots(i));
      }
      const proposed = layer.members.map((i) => slots(i).weights);
      if (!checkLayer(layer, proposed)) return false;
    }
    return checkModel?.() ?? true;
  });
}

function snapshot({ layers, slots, compute, checkLayer, checkModel }: Update): boolean {
  const members = layers.flatMap((layer) => layer.members);
  const replaced = new Map(members.map((i) => [i, copyOf(slots(i))]));
  return undoable(replaced, slots, () => {
    for (const i of members) compute(i, slots(i));
    const proposed = (layer: Layer): readonly Float32Array[] => layer.members.map((i) => slots(i).weights);
    return layers.every((layer) => checkLayer(layer, proposed(layer))) && (checkModel?.() ?? true);
  });
}

/** Applies the update, and restores the old values if it is refused or a check throws. */
function undoable(replaced: ReadonlyMap<number, Slots>, slots: (i: number) => Slots, apply: () => boolean): boolean {
  let accepted = false;
  try {
    accepted = apply();
  } finally {
    if (!accepted) restore(replaced, slots);
  }
  return accepted;
}

const copyOf = ({ weights, state }: Slots): Slots => ({
  weights: weights.slice(),
  state: state.map((one) => one.slice()),
});

function restore(replaced: ReadonlyMap<number, Slots>, slots: (i: number) => Slots): void {
  for (const [i, { weights, state }] of replaced) {
    const now = slots(i);
    now.weights.set(weights);
    for (const [j, array] of now.state.entries()) array.set(present(state[j], 'a copy has every slot'));
  }
}
