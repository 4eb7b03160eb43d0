/**
 * Whether a claim about vectors is equivalent to one claim about each element, decided from its terms.
 */
import type { Goal } from '../../../contract/goal.ts';
import type { IndexBinder, Term } from '../../../math/term/term.ts';
import { freeVariables } from '../../../math/term/traverse.ts';

/** What is known at a term's place. */
interface Around {
  /** The length of all vectors; empty where another name hides it. */
  readonly size: string;
  /** Names of numbers and truth values that depend on the inputs at the index alone. */
  readonly scalars: ReadonlySet<string>;
  /** Vectors whose element i depends on the elements of the inputs at i alone. */
  readonly vectors: ReadonlySet<string>;
  /** The index at which vectors may be read; null if there is none yet. */
  readonly index: string | null;
}

/**
 * Why the goal may not be, for vectors of any length, the conjunction over all i of one statement about the inputs at i; null
 * if it certainly is, provided that its kernels are elementwise.
 */
export function notElementwiseClaim({ domain, applications, predicate }: Goal): string | null {
  const [size] = domain.sizes;
  if (!size || domain.sizes.length > 1 || size.definition !== null) return 'its inputs have not one length';
  const lengthOnly = ([axis, more]: readonly Term[]): boolean => axis !== undefined && !more && isName(axis, size.name);
  const vectors = new Set<string>();
  const scalars = new Set<string>();
  for (const { name, shape, lower, upper, choices, excluded, structure } of domain.variables) {
    if (shape.length > 0 && !lengthOnly(shape)) return `${name} is not a vector of ${size.name} numbers`;
    const limits = [lower?.value, upper?.value, ...(choices ?? []), ...excluded].filter((term) => term !== undefined);
    if (structure !== 'none' || limits.some((term) => freeVariables(term).size > 0))
      return `the values of ${name} depend on more than its index`;
    (shape.length > 0 ? vectors : scalars).add(name);
  }
  if (vectors.size === 0) return 'it has no vectors';
  const around: Around = { size: size.name, scalars, vectors, index: null };
  for (const application of applications) {
    const own = application.arguments.every((term) => isVector(term, around) || isScalar(term, around));
    if (!own || application.each || !lengthOnly(application.sizes))
      return `${application.equation} is given more than the elements at one index`;
    vectors.add(application.output);
  }
  const claims = [...domain.preconditions, predicate];
  return claims.every((term) => isClaim(term, around))
    ? null
    : 'it compares elements of different indices, or counts them';
}

const isName = (term: Term, name: string): boolean => term.kind === 'variable' && term.name === name;

function isWholeRange({ from, to }: IndexBinder, { size }: Around): boolean {
  return from.kind === 'number' && Number(from.value) === 0 && isName(to, size);
}

/** Statements about single elements, under conjunctions and `∀ i`. */
function isClaim(term: Term, around: Around): boolean {
  if (term.kind === 'call' && term.fn === 'and') return term.arguments.every((part) => isClaim(part, around));
  if (term.kind === 'let') {
    const inside = afterLet(term, around);
    return inside !== null && isClaim(term.body, inside);
  }
  if (term.kind === 'reduce' && term.operator === 'all') {
    const [binder, more] = term.binders;
    if (binder && !more && isWholeRange(binder, around)) {
      const inside = { ...without(around, [binder.name]), index: binder.name };
      return [term.condition, term.body].every((part) => part === null || isScalar(part, inside));
    }
  }
  return isScalar(term, around);
}

/** A number or truth value that depends on the inputs at the index alone, and not on the index. */
function isScalar(term: Term, around: Around): boolean {
  const every = (parts: readonly Term[]): boolean => parts.every((part) => isScalar(part, around));
  switch (term.kind) {
    case 'number':
    case 'boolean':
    case 'string':
      return true;
    case 'variable':
      return around.scalars.has(term.name);
    case 'call':
      return every(term.arguments);
    case 'if':
      return every([term.condition, term.then, term.otherwise]);
    case 'element': {
      const [index, more] = term.indices;
      const here = around.index !== null && index !== undefined && !more && isName(index, around.index);
      return here && isVector(term.tensor, around);
    }
    case 'reduce': {
      const names = term.binders.map(({ name }) => name);
      const hidden = without(around, names);
      const inside = { ...hidden, scalars: new Set([...hidden.scalars, ...names]) };
      const parts = [
        ...term.binders.flatMap(({ from, to }) => [from, to]),
        ...(term.condition ? [term.condition] : []),
      ];
      return [...parts, term.body].every((part) => isScalar(part, inside));
    }
    case 'let': {
      const inside = afterLet(term, around);
      return inside !== null && isScalar(term.body, inside);
    }
    case 'tabulate':
    case 'recurrence':
    case 'apply':
      return false;
  }
}

/** A vector whose element at the index depends on the inputs at that index alone. */
function isVector(term: Term, around: Around): boolean {
  if (term.kind === 'variable') return around.vectors.has(term.name);
  if (term.kind === 'let') {
    const inside = afterLet(term, around);
    return inside !== null && isVector(term.body, inside);
  }
  if (term.kind !== 'tabulate') return false;
  const [binder, more] = term.binders;
  if (!binder || more || !isWholeRange(binder, around)) return false;
  return isScalar(term.body, { ...without(around, [binder.name]), index: binder.name });
}

/** What is known in the body of a `let`; null if its value depends on more than the index. */
function afterLet({ name, value }: Term & { kind: 'let' }, around: Around): Around | null {
  const inside = without(around, [name]);
  if (value.type.kind === 'tensor')
    return isVector(value, around) ? { ...inside, vectors: new Set([...inside.vectors, name]) } : null;
  return isScalar(value, around) ? { ...inside, scalars: new Set([...inside.scalars, name]) } : null;
}

/** New names hide those that were known. */
function without(around: Around, names: readonly string[]): Around {
  const others = (known: ReadonlySet<string>): ReadonlySet<string> =>
    new Set([...known].filter((name) => !names.includes(name)));
  return {
    size: names.includes(around.size) ? '' : around.size,
    scalars: others(around.scalars),
    vectors: others(around.vectors),
    index: around.index !== null && names.includes(around.index) ? null : around.index,
  };
}
