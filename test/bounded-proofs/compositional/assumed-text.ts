import { instantiate } from '../../../src/bounded-proofs/instantiate/instantiate.ts';
import type { Reading } from '../../../src/bounded-proofs/problem.ts';
import type { Goal } from '../../../src/contract/goal.ts';
import { elaborated } from '../../contract/elaborate/support.ts';
import { variableText } from '../instantiate/instance-text.ts';
import { print } from '../notation.ts';

/** A claim in which something proved stands in for a kernel; or why nothing does. */
export type AssumedText =
  | {
      readonly variables: readonly string[];
      readonly premises?: readonly string[];
      readonly claim: string;
      readonly assumed: readonly string[];
      /** What must hold of the arguments. */
      readonly demanded?: readonly string[];
    }
  | { readonly refused: string };

/** An equation g over a domain, and claims proved of it (at size 2, where it has one). */
export interface Below {
  readonly domain: string;
  readonly codomain: string;
  readonly proved: readonly string[];
}

/** Another claim, which applies g. */
export interface Above {
  readonly formal: string;
  readonly requires: string;
  readonly sizes: readonly number[];
  readonly reading?: Reading;
}

export function assumedText(
  { domain, codomain, proved }: Below,
  { formal, requires, sizes, reading = 'float32' }: Above,
): AssumedText {
  const hasSizes = domain.includes('^n');
  const contract = elaborated({
    equations: `g:\n  formula: "g(x)${hasSizes ? '_i = x_i' : ' = x'}"\n  domain: "${domain}"\n  codomain: "${codomain}"`,
    obligations: [
      ...proved.map((text, i) => `- { id: P${i}, type: invariant, property: p, formal: "${text}" }`),
      `- { id: C, type: invariant, property: p, formal: "${formal}", requires: ["${requires}"] }`,
    ].join('\n'),
  });
  if (contract.goals.length < proved.length + 1)
    throw new Error(contract.notGoals.map(({ reason }) => reason).join('; '));
  const isAbove = ({ id }: Goal): boolean => id.endsWith('C');
  const above = contract.goals.find(isAbove);
  if (!above) throw new Error('the claim is one');
  const standIn = contract.goals
    .filter((one) => !isAbove(one))
    .map((goal) => ({ goal, sizes: hasSizes ? [[2]] : [[]] }));
  const subjects = contract.equations.map((model) => ({ equation: model.name, model, bound: null, standIn }));
  const made = instantiate({ goal: above, subjects, sizes, reading });
  if (!made.ok) return { refused: made.error.message };
  const { problem, defined, assumed } = made.value;
  const premises = problem.premises.map(print);
  const demanded = defined.map(({ kind, text, condition }) => `${kind}: ${text} ⟸ ${print(condition)}`);
  return {
    variables: problem.variables.map(variableText),
    ...(premises.length === 0 ? {} : { premises }),
    claim: print(problem.conclusion),
    assumed: assumed.map(({ goal, statement }) => `${goal.replace(/.*\//, '')}: ${print(statement)}`),
    ...(demanded.length === 0 ? {} : { demanded }),
  };
}
