import type { JsonObject, JsonValue } from '../../base/canonical-json.ts';
import { streamAt, streamKey, uniformInteger } from '../../numeric/xoshiro.ts';
import { refuse, wholeFrom } from '../settings.ts';

/** Options of {@link createReplayBuffer}. */
export interface ReplayOptions {
  /** Samples that it holds at most, ≥ 1. */
  readonly capacity: number;
  /** What it holds and returns is a function of it and of the samples offered; 0 by default. */
  readonly seed?: number;
}

/** Samples by their numbers in the data: every one that was offered is held with the same probability. */
export interface ReplayBuffer {
  readonly settings: JsonObject;
  /** What it holds, in places that replacement keeps. */
  readonly held: readonly number[];
  /** How many samples were offered. */
  readonly offered: number;
  readonly offer: (sample: number) => void;
  /** `count` samples that it holds, or all where it holds fewer, none twice: the same ones for the same content and `step`. */
  readonly draw: (count: number, step: number) => readonly number[];
  readonly state: () => JsonObject;
  readonly restore: (state: JsonObject) => void;
}

/**
 * A reservoir: sample n is kept with probability capacity/n, in the place of one that leaves.
 *
 * Source: Vitter (1985), Random sampling with a reservoir, ACM TOMS 11(1), algorithm R. The random number of sample n is that of
 * stream n, so that a buffer that is restored goes on as one that never stopped.
 */
export function createReplayBuffer({ capacity, seed = 0 }: ReplayOptions): ReplayBuffer {
  wholeFrom(1, 'replay.capacity', capacity);
  if (!Number.isSafeInteger(seed)) refuse('replay.seed', seed, 'a whole number');
  const [places, draws] = [streamKey(seed, 'reservoir'), streamKey(seed, 'replay')];
  let held: number[] = [];
  let offered = 0;
  return {
    settings: { capacity, seed },
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
