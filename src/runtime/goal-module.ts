import type { CompiledGoal } from '../math/compile/compiled.ts';
import type { Mathematics } from '../math/compile/support.ts';
import type { TestableGoal } from './testable-goal.ts';

/** What a generated goal file exports: the goal as a constant and its mathematics as code. */
export interface GoalModule {
  readonly goal: TestableGoal;
  readonly create: (m: Mathematics) => CompiledGoal;
}
