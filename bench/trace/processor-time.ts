/**
 * Microseconds of processor time: what other work on the machine adds to the clock on the wall is left out, if not what
 * it takes from caches.
 */

const since = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before);
  return user + system;
};

/** The least that `task` took in `rounds` runs, all threads of the process counted. */
export function least(rounds: number, task: () => void): number {
  let best = Infinity;
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage();
    task();
    best = Math.min(best, since(before));
  }
  return best;
}

/** As {@link least}; `prepare` is not counted. */
export async function leastAsync<T>(
  rounds: number,
  prepare: () => T,
  task: (prepared: T) => Promise<unknown>,
): Promise<number> {
  let best = Infinity;
  for (let round = 0; round < rounds; round++) {
    const prepared = prepare();
    const before = process.cpuUsage();
    await task(prepared);
    best = Math.min(best, since(before));
  }
  return best;
}
