/** How much memory another process uses. */
import { readFileSync } from 'node:fs';

const pageBytes = 4096;

/** Megabytes of `pid` that are in memory; 0 where the system does not show them as Linux does, or the process is over. */
export function residentMb(pid: number): number {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
    return (pages * pageBytes) / 2 ** 20;
  } catch {
    return 0;
  }
}
