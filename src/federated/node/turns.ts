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

/** Runs `work` once more, however often it is asked for while it runs. `work` must not throw. */
export function coalesced(work: () => Promise<void>): () => void {
  let [isRunning, isAsked] = [false, false];
  const run = async (): Promise<void> => {
    isRunning = true;
    while (isAsked) {
      isAsked = false;
      await work();
    }
    isRunning = false;
  };
  return () => {
    isAsked = true;
    if (!isRunning) void run();
  };
}
