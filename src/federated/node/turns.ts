/** Runs what it is given, one after the other. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

/** A queue of its own. A failure is the caller's alone: the next one's turn comes all the same. */
export function createTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
}
