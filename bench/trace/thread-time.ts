/**
 * Microseconds of processor time of this thread alone, where the system reports it (Linux): the point is to leave out
 * other threads.
 */
import { existsSync, readFileSync } from 'node:fs';

/** Nanoseconds on a processor come first; brought up to date whenever the thread pauses. */
const own = `/proc/self/task/${process.pid}/schedstat`;
export const hasThreadTime = existsSync(own);

const nobody = new Int32Array(new SharedArrayBuffer(4));
const pause = (): void => void Atomics.wait(nobody, 0, 0, 0.7);

function threadTime(): number {
  pause();
  return Number(readFileSync(own, 'utf8').split(' ')[0]) / 1000;
}

/**
 * The least that one of `calls` to `task`, each after `prepare`, took, of `rounds`; less what preparing takes, and
 * pausing after each: as between two steps of a generation, other threads run meanwhile, and caches hold other things.
 */
export function leastOfThread(rounds: number, calls: number, prepare: () => void, task: () => void): number {
  const paused = (work: () => void): number => {
    let best = Infinity;
    for (let round = 0; round < rounds; round++) {
      const before = threadTime();
      for (let call = 0; call < calls; call++) {
        prepare();
        work();
        pause();
      }
      best = Math.min(best, (threadTime() - before) / calls);
    }
    return best;
  };
  return paused(task) - paused(() => undefined);
}
