import { diagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Contract, Equation, FormalText, Obligation } from '../contract.ts';
import { boundsOf, contradiction } from '../exact/bounds.ts';
import { spanWithin } from '../formal-fields.ts';
import type { ContractRule } from './rule.ts';

/**
 * Some input meets the conditions of every equation and obligation: claims about no input are all true.
 * Judged on simple bounds as they are written; elaboration judges the rest.
 */
export const unsatisfiable: ContractRule = {
  name: 'unsatisfiable',
  check: (contract) => {
    const byEquation = contract.equations.flatMap((equation) => judge(conditionsOf(equation)) ?? []);
    // With a contradiction in the domain every obligation has it too; once is enough.
    if (byEquation.length > 0) return byEquation;
    return contract.obligations.flatMap((obligation) =>
      obligation.requires.length === 0 ? [] : (judge(allConditions(contract, obligation)) ?? []),
    );
  },
};

function conditionsOf(equation: Equation): readonly FormalText[] {
  return [...(equation.domain ? [equation.domain] : []), ...equation.preconditions];
}

function allConditions(contract: Contract, obligation: Obligation): readonly FormalText[] {
  const only = contract.equations.length === 1 ? contract.equations[0] : undefined;
  const equation = contract.equations.find((candidate) => candidate.name === obligation.appliesTo?.value) ?? only;
  return [...(equation ? conditionsOf(equation) : []), ...obligation.requires];
}

function judge(conditions: readonly FormalText[]): Diagnostic | null {
  const found = contradiction(conditions.flatMap((field) => boundsOf(field)));
  if (!found) return null;
  const { earlier, later } = found;
  const text = later.field.text.slice(later.range.start, later.range.end);
  if (!earlier)
    return diagnostic('PV-3019', spanWithin(later.field, later.range), `No number meets ${text}`, {
      hint: 'An absolute value is at least 0.',
    });
  const other = earlier.field.text.slice(earlier.range.start, earlier.range.end);
  const both = other === text ? `No number meets ${text}` : `No number meets both ${other} and ${text}`;
  return diagnostic('PV-3019', spanWithin(later.field, later.range), both, {
    hint: 'A claim about no input at all holds of every implementation.',
    related: other === text ? [] : [{ message: 'and this', span: spanWithin(earlier.field, earlier.range) }],
  });
}
