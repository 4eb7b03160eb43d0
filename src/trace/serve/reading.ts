/**
 * Bodies that are arriving: a slow sender takes a place among senders, but no worker. The bytes that have arrived are limited
 * in total and per body.
 */
import { createPlaces } from './places.ts';

/** A body that is being read. */
interface BodyPlace {
  /** Counts bytes that arrived; false if the server would hold too many. */
  readonly hold: (bytes: number) => boolean;
  readonly leave: () => void;
}

export interface Reading {
  /** Null if all places are taken, or all that this address may take. */
  readonly enter: (address: string | null) => BodyPlace | null;
}

/** A connection that waits for bytes costs little; an address gets an eighth of the places. */
const places = 512;

/** Holds at most `mostBytes` of bodies that have not fully arrived. */
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
