/**
 * `provable-contracts/runtime`: what generated tests and kernels import. Small and stable; loads no YAML, no schema, no command line.
 */
export { falsificationTest, type FalsificationTestOptions } from './falsification-test.ts';
export { propertyTest, type PropertyTestOptions } from './property-test.ts';
export {
  functionKernel,
  threadKernel,
  type KernelTexts,
  type TestCall,
  type TestKernel,
  type TestKernels,
} from './test-kernel.ts';
export type { GoalModule } from './goal-module.ts';
export type { KernelIndex, KernelThread } from './kernel-types.ts';
export {
  mathematics,
  type CaseValue,
  type CheckReport,
  type CompiledEquation,
  type CompiledGoal,
  type Mathematics,
} from './mathematics.ts';
export type { GivenInput, TestableApplication, TestableGoal } from './testable-goal.ts';
