import { setFlagsFromString } from 'node:v8';

/** How many bytes of bytecode a function runs before V8 optimises it: about seven times what V8 takes by itself. */
export const BUDGET_FLAG = '--interrupt-budget=1000000';

/**
 * Lets V8 optimise functions later, in the whole process.
 *
 * A check compiles hundreds of wrong kernels, and most are caught within a hundred cases: optimising them takes longer than
 * they run, on threads that no profile of this one shows. What runs for long is optimised some milliseconds later.
 */
export function optimiseLate(): void {
  setFlagsFromString(BUDGET_FLAG);
}
