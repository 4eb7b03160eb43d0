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
}

/** An update whose layers passed their checks. One of the two must be called, once. */
export interface Proposal {
  readonly commit: () => void;
  /** Restores every byte. */
  readonly rollback: () => void;
}

/**
 * Checks each layer of an update; null if one is refused, with every byte unchanged. With `inPlace`, which a check of the whole
 * model needs, the proposed weights are in place until the update is committed or rolled back.
 */
export function propose(strategy: RollbackStrategy, update: Update, inPlace: boolean): Proposal | null {
  if (strategy === 'chunked-rollback') return chunked(update);
  // Weights in place need a copy of the old ones.
  return strategy === 'full-snapshot' || inPlace ? snapshot(update) : deltaApply(update);
}

function deltaApply({ layers, slots, compute, checkLayer }: Update): Proposal | null {
  const scratch = new Map<number, Slots>();
  for (const layer of layers) {
    const proposed = layer.members.map((i, nth) => {
      const next = scratchLike(scratch, nth, slots(i));
      compute(i, next);
      return next.weights;
    });
    if (!checkLayer(layer, proposed)) return null;
  }
  return {
    commit() {
      for (const { members } of layers) for (const i of members) compute(i, slots(i));
    },
    rollback: () => undefined,
  };
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

function chunked({ layers, slots, compute, checkLayer }: Update): Proposal | null {
  const replaced = new Map<number, Slots>();
  return undoable(replaced, slots, () =>
    layers.every((layer) => {
      for (const i of layer.members) {
        replaced.set(i, copyOf(slots(i)));
        compute(i, slots(i));
      }
      return checkLayer(
        layer,
        layer.members.map((i) => slots(i).weights),
      );
    }),
  );
}

function snapshot({ layers, slots, compute, checkLayer }: Update): Proposal | null {
  const members = layers.flatMap((layer) => layer.members);
  const replaced = new Map(members.map((i) => [i, copyOf(slots(i))]));
  return undoable(replaced, slots, () => {
    for (const i of members) compute(i, slots(i));
    const proposed = (layer: Layer): readonly Float32Array[] => layer.members.map((i) => slots(i).weights);
    return layers.every((layer) => checkLayer(layer, proposed(layer)));
  });
}

/** Applies the update in place, and restores the old values if a layer is refused or a check throws. */
function undoable(
  replaced: ReadonlyMap<number, Slots>,
  slots: (i: number) => Slots,
  apply: () => boolean,
): Proposal | null {
  let accepted = false;
  try {
    accepted = apply();
  } finally {
    if (!accepted) restore(replaced, slots);
  }
  return accepted ? { commit: () => undefined, rollback: () => restore(replaced, slots) } : null;
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
