/**
 * Polynomials over sizes with rational coefficients: how often something is computed, as a formula.
 *
 * A name may also be an integer expression that is not a polynomial (`⌊d/2⌋`), which is then treated as a variable.
 */
import {
  addRational,
  compareRational,
  divideRational,
  fraction,
  multiplyRational,
  negateRational,
  ONE,
  toFloat,
  ZERO,
  type Rational,
} from '../../numeric/rational.ts';

interface Monomial {
  /** Powers by name, sorted by name; each at least 1. */
  readonly powers: readonly (readonly [name: string, power: number])[];
  readonly coefficient: Rational;
}

/** Monomials by their powers as text; no coefficient is 0. */
export type SizePolynomial = ReadonlyMap<string, Monomial>;

/** The polynomial 0. */
export const nothing: SizePolynomial = new Map();

/** A whole number as a polynomial. */
export function constant(value: number): SizePolynomial {
  return of([{ powers: [], coefficient: fraction(BigInt(value)) }]);
}

/** The polynomial of one size. */
export function size(name: string): SizePolynomial {
  return of([{ powers: [[name, 1]], coefficient: ONE }]);
}

function of(monomials: Iterable<Monomial>): SizePolynomial {
  const sum = new Map<string, Monomial>();
  for (const { powers, coefficient } of monomials) {
    const key = powers.map(([name, power]) => `${name}^${power}`).join('·');
    const total = addRational(sum.get(key)?.coefficient ?? ZERO, coefficient);
    if (total.numerator === 0n) sum.delete(key);
    else sum.set(key, { powers, coefficient: total });
  }
  return sum;
}

/** The sum; 0 for no polynomials. */
export function add(...polynomials: readonly SizePolynomial[]): SizePolynomial {
  return of(polynomials.flatMap((one) => [...one.values()]));
}

/** The polynomial times a rational number. */
export function scale(polynomial: SizePolynomial, factor: Rational): SizePolynomial {
  return of(
    [...polynomial.values()].map((one) => ({ ...one, coefficient: multiplyRational(one.coefficient, factor) })),
  );
}

/** The difference a − b. */
export function subtract(a: SizePolynomial, b: SizePolynomial): SizePolynomial {
  return add(a, scale(b, negateRational(ONE)));
}

/** The product, with equal monomials joined. */
export function multiply(a: SizePolynomial, b: SizePolynomial): SizePolynomial {
  return of(
    [...a.values()].flatMap((x) =>
      [...b.values()].map((y) => ({
        powers: joined([...x.powers, ...y.powers]),
        coefficient: multiplyRational(x.coefficient, y.coefficient),
      })),
    ),
  );
}

function joined(powers: Monomial['powers']): Monomial['powers'] {
  const sums = new Map<string, number>();
  for (const [name, power] of powers) sums.set(name, (sums.get(name) ?? 0) + power);
  return [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function power(polynomial: SizePolynomial, exponent: number): SizePolynomial {
  let result = constant(1);
  for (let i = 0; i < exponent; i++) result = multiply(result, polynomial);
  return result;
}

/** Σ of `polynomial` over the whole numbers `from ≤ index < to`, in closed form. */
export function sumOver(
  polynomial: SizePolynomial,
  index: string,
  from: SizePolynomial,
  to: SizePolynomial,
): SizePolynomial {
  const parts = [...polynomial.values()].map(({ powers, coefficient }) => {
    const exponent = powers.find(([name]) => name === index)?.[1] ?? 0;
    const rest = of([{ powers: powers.filter(([name]) => name !== index), coefficient }]);
    return multiply(rest, subtract(powersBelow(exponent, to), powersBelow(exponent, from)));
  });
  return add(...parts);
}

/** Σ_{i<m} i^k, from Σ_{j≤k} C(k+1, j)·F_j(m) = m^{k+1} (Graham, Knuth & Patashnik, Concrete Mathematics, equation 6.79). */
function powersBelow(k: number, m: SizePolynomial): SizePolynomial {
  let rest = power(m, k + 1);
  let binomial = 1;
  for (let j = 0; j < k; j++) {
    rest = subtract(rest, scale(powersBelow(j, m), fraction(BigInt(binomial))));
    binomial = (binomial * (k + 1 - j)) / (j + 1);
  }
  return scale(rest, divideRational(ONE, fraction(BigInt(k + 1))));
}

/** Its value where `valueOf` gives that of each name. */
export function evaluate(polynomial: SizePolynomial, valueOf: (name: string) => number): number {
  let sum = 0;
  for (const { powers, coefficient } of polynomial.values())
    sum += powers.reduce((product, [name, exponent]) => product * valueOf(name) ** exponent, toFloat(coefficient));
  return sum;
}

/** The sizes that occur in it. */
export function namesIn(polynomial: SizePolynomial): ReadonlySet<string> {
  return new Set([...polynomial.values()].flatMap(({ powers }) => powers.map(([name]) => name)));
}

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** `2·k·m·n + m`: highest degree first. */
export function polynomialText(polynomial: SizePolynomial): string {
  const degree = ({ powers }: Monomial): number => powers.reduce((sum, [, exponent]) => sum + exponent, 0);
  const ordered = [...polynomial.values()].toSorted((a, b) => degree(b) - degree(a));
  const texts = ordered.map(({ powers, coefficient }, i) => {
    const negative = compareRational(coefficient, ZERO) < 0;
    const { numerator, denominator } = negative ? negateRational(coefficient) : coefficient;
    const names = powers.map(([name, exponent]) => (exponent === 1 ? name : `${name}${raised(exponent)}`));
    const isOne = numerator === 1n && names.length > 0;
    const product = [...(isOne ? [] : [String(numerator)]), ...names].join('·');
    const text = denominator === 1n ? product : `${product}/${denominator}`;
    return i === 0 ? `${negative ? '-' : ''}${text}` : `${negative ? ' - ' : ' + '}${text}`;
  });
  return texts.length === 0 ? '0' : texts.join('');
}

function raised(exponent: number): string {
  return [...String(exponent)].map((digit) => superscripts[Number(digit)] ?? '').join('');
}
