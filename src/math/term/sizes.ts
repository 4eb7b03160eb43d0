/**
 * Arithmetic of symbolic sizes: integer polynomials over size variables, so that m·k and k·m are one size.
 *
 * What is not a polynomial (⌊n/3⌋, min(n, 8)) is an atom, compared by its key. Expansion is bounded: a product
 * that would exceed {@link maximumMonomials} becomes an atom too, which can only make equal sizes look different.
 */
import { call, integer } from './build.ts';
import { integerValue } from './fold.ts';
import { termKey } from './term-key.ts';
import type { Term } from './term.ts';

const maximumMonomials = 64;
const maximumDegree = 16;

interface Monomial {
  readonly coefficient: number;
  /** Sorted by key, with repetition. */
  readonly atoms: readonly { readonly key: string; readonly term: Term }[];
}

type Polynomial = ReadonlyMap<string, Monomial>;

/** Whether two sizes are equal for every value of their variables, as far as polynomial arithmetic can show. */
export function sameSize(a: Term, b: Term): boolean {
  if (a === b) return true;
  return [...subtract(polynomialOf(a), polynomialOf(b)).values()].length === 0;
}

/** The same size in normal form: monomials in a fixed order, `2·n + 1`. */
export function simplifySize(term: Term): Term {
  return toTerm(polynomialOf(term));
}

/** The size as c·name + rest with `name` nowhere in the rest, or null. */
export function linearIn(term: Term, name: string): { readonly coefficient: number; readonly rest: Term } | null {
  const polynomial = polynomialOf(term);
  const rest = new Map(polynomial);
  let coefficient = 0;
  for (const [key, monomial] of polynomial) {
    const [only] = monomial.atoms;
    const isName = monomial.atoms.length === 1 && only?.term.kind === 'variable' && only.term.name === name;
    if (isName) {
      coefficient = monomial.coefficient;
      rest.delete(key);
    } else if (
      monomial.atoms.some((atom) =>
        atom.key.includes(termKey({ kind: 'variable', name, type: { kind: 'integer' }, origin: null })),
      )
    ) {
      return null;
    }
  }
  return coefficient === 0 ? null : { coefficient, rest: toTerm(rest) };
}

/** `size / divisor` when the polynomial shows that it is whole, else null. */
export function exactQuotient(size: Term, divisor: Term): Term | null {
  const quotient = divide(polynomialOf(size), polynomialOf(divisor));
  return quotient && toTerm(quotient);
}

/** The value of `name` for which `size` equals `actual`, when size is c·name + rest or factor·name; else null. */
export function solveSize(size: Term, name: string, actual: Term): Term | null {
  const linear = linearIn(size, name);
  if (linear) return exactQuotient(call('subtract', actual, linear.rest), integer(linear.coefficient));
  const factor = exactQuotient(size, { kind: 'variable', name, type: { kind: 'integer' }, origin: null });
  return factor && exactQuotient(actual, factor);
}

/** The number when the size is one, else null. */
export function constantSize(term: Term): number | null {
  return integerValue(simplifySize(term));
}

function atom(term: Term): Polynomial {
  const key = termKey(term);
  return new Map([[key, { coefficient: 1, atoms: [{ key, term }] }]]);
}

function constant(value: number): Polynomial {
  return value === 0 ? new Map() : new Map([['', { coefficient: value, atoms: [] }]]);
}

function polynomialOf(term: Term): Polynomial {
  const value = integerValue(term);
  if (value !== null) return constant(value);
  if (term.kind !== 'call') return atom(term);
  const parts = term.arguments;
  const [a, b] = parts;
  if (!a) return atom(term);
  if (!b)
    return term.fn === 'negate' ? (multiply(polynomialOf(a), constant(-1)) ?? atom(term)) : atom(simplifyParts(term));
  switch (term.fn) {
    case 'add':
      return bounded(add(polynomialOf(a), polynomialOf(b)), term);
    case 'subtract':
      return bounded(subtract(polynomialOf(a), polynomialOf(b)), term);
    case 'multiply':
      return multiply(polynomialOf(a), polynomialOf(b)) ?? atom(term);
    case 'power':
      return power(a, b) ?? atom(term);
    case 'floor-divide':
      return divide(polynomialOf(a), polynomialOf(b)) ?? atom(simplifyParts(term));
    default:
      return atom(simplifyParts(term));
  }
}

function simplifyParts(term: Extract<Term, { kind: 'call' }>): Term {
  return call(term.fn, ...term.arguments.map((part) => (part.type.kind === 'integer' ? simplifySize(part) : part)));
}

function bounded(polynomial: Polynomial, term: Term): Polynomial {
  const safe = [...polynomial.values()].every((m) => Number.isSafeInteger(m.coefficient));
  return safe && polynomial.size <= maximumMonomials ? polynomial : atom(term);
}

function add(a: Polynomial, b: Polynomial): Polynomial {
  const sum = new Map(a);
  for (const [key, monomial] of b) {
    const coefficient = (sum.get(key)?.coefficient ?? 0) + monomial.coefficient;
    if (coefficient === 0) sum.delete(key);
    else sum.set(key, { ...monomial, coefficient });
  }
  return sum;
}

function subtract(a: Polynomial, b: Polynomial): Polynomial {
  return add(a, scale(b, -1));
}

function scale(polynomial: Polynomial, factor: number): Polynomial {
  return new Map([...polynomial].map(([key, m]) => [key, { ...m, coefficient: m.coefficient * factor }]));
}

function multiply(a: Polynomial, b: Polynomial): Polynomial | null {
  if (a.size * b.size > maximumMonomials) return null;
  let product: Polynomial = new Map();
  for (const x of a.values()) {
    for (const y of b.values()) {
      const atoms = [...x.atoms, ...y.atoms].sort((p, q) => (p.key < q.key ? -1 : p.key > q.key ? 1 : 0));
      const coefficient = x.coefficient * y.coefficient;
      if (atoms.length > maximumDegree || !Number.isSafeInteger(coefficient)) return null;
      product = add(product, new Map([[atoms.map((p) => p.key).join('·'), { coefficient, atoms }]]));
    }
  }
  return product;
}

function power(base: Term, exponent: Term): Polynomial | null {
  const times = integerValue(exponent);
  if (times === null || times < 0 || times > maximumDegree) return null;
  let product: Polynomial | null = constant(1);
  const factor = polynomialOf(base);
  for (let i = 0; i < times && product; i++) product = multiply(product, factor);
  return product;
}

/** Exact division by one monomial. */
function divide(dividend: Polynomial, divisor: Polynomial): Polynomial | null {
  const [by, ...more] = divisor.values();
  if (!by || more.length > 0) return null;
  const quotient = new Map<string, Monomial>();
  for (const monomial of dividend.values()) {
    const atoms = [...monomial.atoms];
    for (const factor of by.atoms) {
      const at = atoms.findIndex((candidate) => candidate.key === factor.key);
      if (at < 0) return null;
      atoms.splice(at, 1);
    }
    const coefficient = monomial.coefficient / by.coefficient;
    if (!Number.isInteger(coefficient)) return null;
    quotient.set(atoms.map((p) => p.key).join('·'), { coefficient, atoms });
  }
  return quotient;
}

function toTerm(polynomial: Polynomial): Term {
  const ordered = [...polynomial].sort(
    ([p, a], [q, b]) =>
      Number(a.coefficient < 0) - Number(b.coefficient < 0) || b.atoms.length - a.atoms.length || (p < q ? -1 : 1),
  );
  let sum = integer(0);
  for (const [, monomial] of ordered) {
    const magnitude = monomial.atoms.reduce(
      (product, factor) => call('multiply', product, factor.term),
      integer(Math.abs(monomial.coefficient)),
    );
    sum = call(monomial.coefficient < 0 ? 'subtract' : 'add', sum, magnitude);
  }
  return sum;
}
