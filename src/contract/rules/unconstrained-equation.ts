import { diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Contract, Equation } from '../contract.ts';
import type { ContractRule } from './rule.ts';

/** Every equation is the subject of an obligation; otherwise any kernel satisfies it. */
export const unconstrainedEquation: ContractRule = {
  name: 'unconstrained-equation',
  check: (contract) => {
    if (contract.obligations.length === 0 && contract.equations.length === 0) return [];
    return contract.equations
      .filter((equation) => !constrained(contract, equation))
      .map((equation) =>
        diagnostic('PV-3013', equation.nameSpan, `No obligation constrains the equation '${equation.name}'`, {
          hint: `Add an obligation about it, such as an equivalence with ${symbolOf(equation) ?? equation.name}_ref, and applies_to: ${equation.name}.`,
        }),
      );
  },
};

/** By `applies_to`, by being the only equation, or by its symbol or name in an obligation's texts. */
function constrained(contract: Contract, equation: Equation): boolean {
  if (contract.obligations.length > 0 && contract.equations.length === 1) return true;
  const words = [equation.name, symbolOf(equation)].filter((word) => word !== null);
  return contract.obligations.some(
    (obligation) =>
      obligation.appliesTo?.value === equation.name ||
      words.some((word) => mentions(obligation.formal?.text ?? '', word) || mentions(obligation.property, word)),
  );
}

/** What stands before `(`, `_` or `=` at the start of the formula: `σ` of `σ(x)_i = …`. */
function symbolOf(equation: Equation): string | null {
  return /^\s*(\p{L}[\p{L}\p{N}']*)/u.exec(equation.formula.text)?.[1] ?? null;
}

function mentions(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!isLetter(text[at - 1]) && !isLetter(text[at + word.length])) return true;
  }
  return false;
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}
