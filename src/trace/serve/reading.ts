/**
 * Bodies on their way: whoever sends slowly holds a place among those who send, and none of a worker's. What they have
 * sent is bounded as a whole, and by the cap of one body each.
 */
import { createPlaces } from './places.ts';

/** A body that is being read. */
export interface BodyPlace {
  /** Counts bytes that arrived; false where the server holds too many. */
  readonly hold: (bytes: number) => boolean;
  readonly leave: () => void;
}

export interface Reading {
  /** Null where all places are taken, or all that this address may have. */
  readonly enter: (address: string | null) => BodyPlace | null;
}

/** A connection that waits for bytes costs little; an address gets an eighth of the places. */
const places = 512;

/** `mostBytes` of bodies that have not arrived as a whole. */
export function createReading(mostBytes: number): Reading {
  const taken = createPlaces(places, places / 8);
  let held = 0;
  return {
    enter(address) {
      const leave = taken.enter(address);
      if (leave === null) return null;
      let own = 0;
      return {
        hold(bytes) {
          if (held + bytes > mostBytes) return false;
          held += bytes;
          own += bytes;
          return true;
        },
        leave() {
          held -= own;
          own = 0;
          leave();
        },
      };
    },
  };
}
