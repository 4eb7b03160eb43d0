import { instantiate } from '../../../src/bounded-proofs/instantiate/instantiate.ts';
import type { ProofVariable } from '../../../src/bounded-proofs/problem.ts';
import { toFloat, type Rational } from '../../../src/numeric/rational.ts';
import { elaborated, goal } from '../../contract/elaborate/support.ts';
import { print } from '../notation.ts';

/** A claim at sizes as text; or why it has none. */
export type InstanceText =
  | {
      readonly variables: readonly string[];
      readonly premises?: readonly string[];
      readonly claim: string;
      /** Where it has a value. */
      readonly defined?: readonly string[];
    }
  | { readonly refused: string };

/** `x f32 [0, 1]`, or `x f32 {0, 1}`. */
export function variableText({ name, format, low, high, choices, standsFor }: ProofVariable): string {
  const end = (value: Rational | null, none: string): string => (value === null ? none : String(toFloat(value)));
  const values = choices ? `{${choices.map(toFloat).join(', ')}}` : `[${end(low, '−∞')}, ${end(high, '∞')}]`;
  return `${name} ${format} ${values}${standsFor?.kind === 'ulp32' ? ` for the unit of ${print(standsFor.of)}` : ''}`;
}

/** Of the equation f(x) = x over a domain that has x, and of a claim about it that may name further inputs. */
export function instanceText(
  domain: string,
  formal: string,
  sizes: readonly number[] = [],
  requires: string | null = null,
  ulps: number | null = null,
): InstanceText {
  const tolerance = ulps === null ? '' : `, tolerance: { ulp: ${ulps} }`;
  const rest = (requires === null ? '' : `, requires: ["${requires}"]`) + tolerance;
  const contract = elaborated({
    equations: `f:\n  formula: "f(x) = x"\n  domain: "${domain}"\n  codomain: "f(x) ∈ ℝ"`,
    obligations: `- { id: C, type: invariant, property: p, formal: "${formal}"${rest} }`,
  });
  const subjects = contract.equations.map((model) => ({ equation: model.name, model, bound: null }));
  const made = instantiate({ goal: goal(contract), subjects, sizes, reading: 'float32' });
  if (!made.ok) return { refused: made.error.message };
  const { problem, defined } = made.value;
  const premises = problem.premises.map(print);
  const conditions = defined.map(({ kind, condition, text }) => `${kind}: ${text} ⟸ ${print(condition)}`);
  return {
    variables: problem.variables.map(variableText),
    ...(premises.length === 0 ? {} : { premises }),
    claim: print(problem.conclusion),
    ...(conditions.length === 0 ? {} : { defined: conditions }),
  };
}
