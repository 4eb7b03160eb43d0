import type { JsonObject, JsonValue } from '../../base/canonical-json.ts';
import { streamAt, streamKey, uniformInteger } from '../../numeric/xoshiro.ts';
import { refuse, wholeFrom } from '../settings.ts';

/** Options of {@link createReplayBuffer}. */
export interface ReplayOptions {
  /** The largest number of samples to hold, ≥ 1. */
  readonly capacity: number;
  /** Together with the offered samples, it determines what the buffer holds and returns; 0 by default. */
  readonly seed?: number;
  /**
   * If set, every step must replay samples as soon as the buffer holds any, this many or all that it holds. Recorded, so that the
   * verifier finds a step that did not. Without it, each step may replay or not.
   */
  readonly perStep?: number;
}

/** A buffer of sample indices in which every offered sample is held with the same probability. */
export interface ReplayBuffer {
  readonly settings: JsonObject;
  /** Whether the next step must replay samples. */
  readonly required: () => boolean;
  /** The samples held, by slot; a replacement takes over the slot. */
  readonly held: readonly number[];
  /** The number of samples offered so far. */
  readonly offered: number;
  readonly offer: (sample: number) => void;
  /** `count` distinct samples from the buffer, or all if it holds fewer. The same contents and `step` give the same samples. */
  readonly draw: (count: number, step: number) => readonly number[];
  readonly state: () => JsonObject;
  readonly restore: (state: JsonObject) => void;
}

/**
 * A reservoir: sample n is kept with probability capacity/n, and replaces another one.
 *
 * Source: Vitter (1985), Random sampling with a reservoir, ACM TOMS 11(1), algorithm R. Sample n takes its random number from
 * stream n, so a restored buffer continues as if it had never stopped.
 */
export function createReplayBuffer({ capacity, seed = 0, perStep }: ReplayOptions): ReplayBuffer {
  wholeFrom(1, 'replay.capacity', capacity);
  if (perStep !== undefined) wholeFrom(1, 'replay.perStep', perStep);
  if (!Number.isSafeInteger(seed)) refuse('replay.seed', seed, 'a whole number');
  const [places, draws] = [streamKey(seed, 'reservoir'), streamKey(seed, 'replay')];
  let held: number[] = [];
  let offered = 0;
  return {
    settings: { capacity, seed, ...(perStep === undefined ? {} : { per_step: perStep }) },
    required: () => perStep !== undefined && held.length > 0,
    get held() {
      return held;
    },
    get offered() {
      return offered;
    },
    offer(sample) {
      offered += 1;
      if (held.length < capacity) {
        held.push(sample);
        return;
      }
      const place = uniformInteger(streamAt(places, offered), 0, offered - 1);
      if (place < capacity) held[place] = sample;
    },
    draw(count, step) {
      const stream = streamAt(draws, step);
      const left = [...held];
      const drawn: number[] = [];
      while (drawn.length < count && left.length > 0) {
        const at = uniformInteger(stream, 0, left.length - 1);
        drawn.push(...left.splice(at, 1));
      }
      return drawn;
    },
    state: () => ({ held, offered }),
    restore(state) {
      held = numbersOf(state['held']);
      offered = Number(state['offered']);
    },
  };
}

const numbersOf = (list: JsonValue | undefined): number[] => (Array.isArray(list) ? list.map(Number) : []);
