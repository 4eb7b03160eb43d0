import { diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Contract, Equation } from '../contract.ts';
import type { ContractRule } from './rule.ts';

/** Every equation is the subject of an obligation; otherwise any kernel satisfies it. */
export const unconstrainedEquation: ContractRule = {
  name: 'unconstrained-equation',
  check: (contract) => {
    // Whatever the only equation of a contract is called, its obligations are about it.
    if (contract.equations.length === 1 && contract.obligations.length > 0) return [];
    const mentioned = mentionedNames(contract);
    return contract.equations
      .filter((equation) => !mentioned.has(equation.name) && !mentioned.has(symbolOf(equation) ?? equation.name))
      .map((equation) =>
        diagnostic('PV-3013', equation.nameSpan, `No obligation constrains the equation '${equation.name}'`, {
          hint: `Add an obligation about it, such as an equivalence with ${symbolOf(equation) ?? equation.name}_ref, and applies_to: ${equation.name}.`,
        }),
      );
  },
};

/** Names in `applies_to` and in the texts of obligations; of `gelu_tanh_ref` also `gelu`, `gelu_tanh`, `tanh` and `ref`. */
function mentionedNames(contract: Contract): ReadonlySet<string> {
  const names = new Set<string>();
  const addFrom = (text: string): void => {
    for (const word of text.match(/[\p{L}\p{N}_']+/gu) ?? []) {
      const parts = word.split('_').slice(0, 8);
      parts.forEach((part, i) => names.add(part).add(parts.slice(0, i + 1).join('_')));
    }
  };
  for (const obligation of contract.obligations) {
    if (obligation.appliesTo) names.add(obligation.appliesTo.value);
    addFrom(`${obligation.formal?.text ?? ''} ${obligation.property}`);
  }
  // Equations over data are put into each other: an error in one is an error in every claim that rests on it.
  if (contract.dataSection) for (const { formula } of contract.equations) addFrom(formula.text.replace(/^[^=]*=/, ''));
  return names;
}

/** The text before `(`, `_` or `=` at the start of the formula: `σ` of `σ(x)_i = …`. */
function symbolOf(equation: Equation): string | null {
  return /^\s*(\p{L}[\p{L}\p{N}']*)/u.exec(equation.formula.text)?.[1] ?? null;
}
