import type { Statement } from '../../../math/notation/syntax.ts';
import type { Equation } from '../../contract.ts';

/** Another reading of an equation. */
export interface OtherReading {
  readonly equation: Equation;
  /** As `EquationModel.unread`; null if nothing is left out. */
  readonly said: string | null;
  /** As `EquationModel.widens`. */
  readonly widens: boolean;
  /** Whether it is the only reading with a meaning, so that nothing is left to ask of the author. */
  readonly isClear?: true;
  /** Letters that label what is computed. */
  readonly letters?: readonly string[];
}

/** The equation with these statements as its formula and as its domain. */
export function rewritten(
  equation: Equation,
  formula: readonly Statement[],
  domain: readonly Statement[] | null,
): Equation {
  const { formula: written, domain: declared } = equation;
  return {
    ...equation,
    formula: { ...written, notation: { ...written.notation, status: 'math', statements: formula } },
    domain: declared && domain && { ...declared, notation: { ...declared.notation, statements: domain } },
  };
}
