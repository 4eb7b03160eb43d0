import { readNotation } from '../../../math/notation/read.ts';
import type { FieldRole } from '../../../math/notation/syntax.ts';
import type { Equation, FormalText } from '../../contract.ts';
import { elaborateEquation, type ElaboratedEquation } from './equation.ts';
import { childScope } from '../context/scope.ts';

/** The path of a text that is in no file. */
export const NO_FILE = '(text)';

/** A formal text by itself, outside any file. */
export function formalText(text: string, role: FieldRole): FormalText {
  const span = { source: { path: NO_FILE, text }, range: { start: 0, end: text.length } };
  return { text, span, notation: readNotation(text, role), offsetInSource: (offset) => offset };
}

/** An equation from its texts: for playgrounds and tests. Names of other equations are not known. */
export function elaborateEquationFromText(texts: {
  readonly formula: string;
  readonly domain?: string;
  readonly codomain?: string;
}): ElaboratedEquation {
  const equation: Equation = {
    name: 'equation',
    nameSpan: formalText('equation', 'expression').span,
    description: null,
    references: [],
    formula: formalText(texts.formula, 'formula'),
    domain: texts.domain === undefined ? null : formalText(texts.domain, 'domain'),
    codomain: texts.codomain === undefined ? null : formalText(texts.codomain, 'domain'),
    large: [],
    invariants: [],
    preconditions: [],
    postconditions: [],
  };
  return elaborateEquation(equation, childScope(null));
}
