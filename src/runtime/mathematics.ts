/** What modules emitted by the compiler need at run time: the parameter of their `create` and the types they name. */
export { mathematics, type Mathematics } from '../math/compile/support.ts';
export type { CaseValue, CheckReport, CompiledEquation, CompiledGoal } from '../math/compile/compiled.ts';
