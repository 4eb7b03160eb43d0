/** |a| ≤ b by a² ≤ b², where roots are gone: what is divided by a norm is at most that norm. */
import { fromFloat, ZERO, type Rational } from '../../../numeric/rational.ts';
import type { Graph } from '../../expression.ts';
import { withLaws } from '../algebra/laws.ts';
import { isNonnegative } from '../algebra/nonnegative.ts';
import type { Normaliser } from '../algebra/normalise.ts';
import {
  addFunctions,
  fromRational,
  negateFunction,
  powerFunction,
  type RationalFunction,
} from '../algebra/rational-function.ts';
import { isExactForm, type ErrorForm } from './error-form.ts';
import { constantUp, plus } from './numbers-up.ts';

interface SquaresContext {
  readonly graph: Graph;
  readonly normaliser: Normaliser | undefined;
}

/** |E|·(1 + ρ) + α ≤ R + c follows from (E·(1 + ρ))² ≤ R² for R ≥ 0 and a number c ≥ α. */
export function isWithinBySquares(left: ErrorForm, right: ErrorForm, { graph, normaliser }: SquaresContext): boolean {
  if (!normaliser) return false;
  const { atoms, effort } = normaliser;
  if (!isExactForm(right) || !Number.isFinite(left.relative) || !Number.isFinite(left.absolute)) return false;
  const room = graph.subtract(right.exact, constantUp(graph, left.absolute));
  const value = normaliser.normal(room);
  if (!value) return false;
  const number = constantTerm(value);
  const rest = addFunctions(value, negateFunction(fromRational(number)), effort);
  const reach = normaliser.normal(graph.multiply(left.exact, graph.constant(fromFloat(plus(1, left.relative)))));
  if (reach === null || number.numerator < 0n || !isNonnegative(rest, atoms, effort)) return false;
  const [most, least] = [rest, reach].map((one) => withLaws(powerFunction(one, 2, effort), atoms, effort));
  if (!most || !least) return false;
  return isNonnegative(addFunctions(most, negateFunction(least), effort), atoms, effort);
}

/** What is added to all other terms. */
function constantTerm({ numerator, divisors }: RationalFunction): Rational {
  return divisors.size > 0 ? ZERO : (numerator.get('')?.coefficient ?? ZERO);
}
