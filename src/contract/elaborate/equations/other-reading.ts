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
