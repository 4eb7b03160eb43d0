/** Processor time of a process and its descendants, from /proc: a browser's processes end before they can be waited for. */
import { readdir, readFile } from 'node:fs/promises';

/** Between two samples; what a process does after the last one is not counted. */
const lookEveryMs = 250;
/** Clock ticks per second, as Linux reports them. */
const ticks = 100;

interface Seen {
  readonly pid: number;
  readonly parent: number;
  /** User and system time. */
  readonly seconds: number;
}

async function look(pid: string): Promise<Seen | null> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The name is in parentheses and may contain anything (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { pid: Number(pid), parent: Number(fields[1]), seconds: (Number(fields[11]) + Number(fields[12])) / ticks };
  } catch {
    // It has ended in the meantime.
    return null;
  }
}

/** Starts sampling; the returned function stops, and returns the seconds of all processes together. */
export function treeTime(root: number): () => Promise<number> {
  const family = new Set([root]);
  const times = new Map<number, number>();
  const count = async (): Promise<void> => {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    const seen = (await Promise.all(pids.map(look))).filter((one) => one !== null);
    for (let before = -1; before < family.size;) {
      before = family.size;
      for (const { pid, parent } of seen) if (family.has(parent)) family.add(pid);
    }
    for (const { pid, seconds } of seen) if (family.has(pid)) times.set(pid, seconds);
  };
  const timer = setInterval(() => void count(), lookEveryMs);
  return async () => {
    clearInterval(timer);
    await count();
    return [...times.values()].reduce((sum, seconds) => sum + seconds, 0);
  };
}
