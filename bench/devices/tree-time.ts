/** Processor time of a process and of all that it starts, from /proc: a browser ends its own before anyone can wait for them. */
import { readdir, readFile } from 'node:fs/promises';

/** Between two looks; what a process does after the last one is not counted. */
const lookEveryMs = 250;
/** Clock ticks a second, as Linux tells them to programs. */
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
    // The name stands in parentheses and may hold anything (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { pid: Number(pid), parent: Number(fields[1]), seconds: (Number(fields[11]) + Number(fields[12])) / ticks };
  } catch {
    // It has ended meanwhile.
    return null;
  }
}

/** Starts looking; what it gives stops, and tells the seconds of all together. */
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
