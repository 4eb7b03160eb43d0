import { setFlagsFromString } from 'node:v8';

/**
 * Seven times as much bytecode runs as V8 takes by itself before a function is optimised, and functions count as too large
 * for that from a third of the size. Wrong formulas of a small transformer: 25.5 s of processor time and 414 MB with V8's own
 * limit of size, 14.2 s and 185 MB with this one; claims about them on ten thousand cases take as long as before.
 */
export const v8Flags = ['--interrupt-budget=1000000', '--max-optimized-bytecode-size=20000'] as const;

/**
 * Lets V8 optimise functions later, and huge ones not at all, in the whole process.
 *
 * A check compiles hundreds of wrong kernels, and most are caught within a hundred cases: optimising them takes longer than
 * they run, on threads that no profile of this one shows, and as much memory as everything else. What runs for long is
 * optimised some milliseconds later.
 */
export function optimiseLate(): void {
  for (const flag of v8Flags) setFlagsFromString(flag);
}
