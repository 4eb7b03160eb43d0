/**
 * Microseconds of processor time: other work on the machine does not count, except for its effect on caches.
 */

const since = (before: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(before);
  return user + system;
};

/** The minimum time of `task` in `rounds` runs, over all threads of the process. */
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
