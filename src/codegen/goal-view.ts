/**
 * A goal as a generated module: its mathematics as code, the rest as a constant.
 */
import type { Goal } from '../contract/goal.ts';
import { emitGoal } from '../math/compile/emit.ts';
import { toCommentLine } from './names.ts';

export interface GoalView {
  readonly code: string;
  readonly id: string;
  readonly property: string;
  readonly formal: string;
  readonly json: string;
}

export function goalView(goal: Goal): GoalView {
  const { id, claim, property, formal, domain, applications, given, cases, toleranceText, ifFails } = goal;
  return {
    code: emitGoal(goal, { language: 'ts' }),
    id: toCommentLine(id),
    property: toCommentLine(property),
    formal: toCommentLine(formal),
    json: typescriptConstant({
      id,
      claim,
      property,
      formal,
      domain,
      applications,
      given,
      cases,
      toleranceText,
      ifFails,
    }),
  };
}

/** JSON with two spaces; where a term came from in the notation is of no use to a test and would make diffs noisy. */
function typescriptConstant(value: object): string {
  const json = JSON.stringify(
    value,
    (key, inner: unknown) => (key === 'origin' ? null : Object.is(inner, -0) ? '\u0000-0' : inner),
    2,
  );
  return json
    .replaceAll('"\\u0000-0"', '-0')
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029');
}

/** The file of a claim's module, without ending: `sm-inv-001`. */
export function goalFileName(claim: string): string {
  return (
    claim
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'claim'
  );
}
