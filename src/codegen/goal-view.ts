/**
 * A goal as a generated module: its mathematics as code, the rest as a constant.
 */
import type { Goal } from '../contract/goal.ts';
import { emitGoal } from '../math/compile/emit.ts';
import type { TestableGoal } from '../runtime/testable-goal.ts';
import { constantText } from './constant-text.ts';
import { distinct, toCommentLine } from './names.ts';

/** What the template of a goal's module shows. */
export interface GoalView {
  readonly code: string;
  readonly id: string;
  readonly property: string;
  readonly formal: string;
  /** Constants that the goal's own is made of. */
  readonly parts: readonly string[];
  readonly value: string;
}

/** Why no generated test runs a claim, though `pv audit` does; null for the claims about single runs of kernels, which have one. */
export function beyondTests({ semantics, statistical }: Pick<Goal, 'semantics' | 'statistical'>): string | null {
  if (semantics === 'real')
    return 'it is about real numbers: the equations are evaluated in arbitrary precision, and no kernel runs';
  if (semantics === 'statistical')
    return `it is about a distribution: the kernel is run on ${statistical ? `${statistical.draws} draws` : 'many draws'} per setting`;
  return null;
}

/** The goals that a generated test can run. */
export function testableGoals(goals: readonly Goal[]): readonly Goal[] {
  return goals.filter((goal) => beyondTests(goal) === null);
}

/** The module of a goal. Its constant contains everything that a test needs except the mathematics, which is code. */
export function goalView(goal: Goal): GoalView {
  const { id, claim, property, formal, domain, applications, given, cases, toleranceText, ifFails } = goal;
  // Of the type that the generated constant has, so that none of its fields can be forgotten here.
  const testable: TestableGoal = {
    id,
    claim,
    property,
    formal,
    domain,
    applications: applications.map(({ output, equation, arguments: args, type, each }) => ({
      output,
      equation,
      // What the arguments are is in the code.
      arguments: args.map((argument) => ({ type: argument.type })),
      type,
      ...(each ? { each } : {}),
    })),
    given,
    cases,
    toleranceText,
    ifFails,
  };
  const { parts, expression } = constantText(testable);
  return {
    code: emitGoal(goal, { language: 'ts' }),
    id: toCommentLine(id),
    property: toCommentLine(property),
    formal: toCommentLine(formal),
    parts,
    value: expression,
  };
}

/** The module of every testable goal under `goals/`, without ending: `sm-inv-001`. No two goals of a contract share one. */
export function goalFileNames(goals: readonly Goal[]): ReadonlyMap<Goal, string> {
  const testable = testableGoals(goals);
  const names = distinct(
    testable.map(({ claim }) => fileName(claim)),
    [],
    '-',
  );
  return new Map(testable.map((goal, at) => [goal, names[at] ?? fileName(goal.claim)]));
}

/** Longer names do not help people and are too long for some file systems. */
const longestName = 80;

function fileName(claim: string): string {
  const name =
    claim
      .toLowerCase()
      .replace(/[^a-z0-9]+/gu, '-')
      .slice(0, longestName)
      .replace(/^-+|-+$/gu, '') || 'claim';
  // Windows has devices of these names.
  return /^(?:con|prn|aux|nul|com\d|lpt\d)$/u.test(name) ? `${name}-claim` : name;
}
