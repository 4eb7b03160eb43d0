/** A domain while its text is read: sizes, inputs and preconditions that later statements may still narrow. */
import { integer, variable } from '../../../math/term/build.ts';
import type { Bound, Domain, InputVariable, SizeVariable } from '../../../math/domain.ts';
import { FLOAT32, INTEGER, type ScalarType, type Term } from '../../../math/term/term.ts';
import type { FreshName } from '../../../math/term/symbols.ts';
import { termKey, typeKey } from '../../../math/term/term-key.ts';
import { freeVariables, substitute } from '../../../math/term/traverse.ts';
import { makeType } from '../../../math/term/types.ts';
import { evaluateNumber } from '../context/evaluate-number.ts';
import { implyBounds } from './implied-bounds.ts';
import { withinBounds } from './listed-values.ts';
import { childScope, type Definition, type Scope } from '../context/scope.ts';
import { narrowEnd, numberOf } from './tighter-bound.ts';
import { scalar, valueOf } from '../context/values.ts';

/** A size with the range known so far. */
export interface DraftSize {
  readonly name: string;
  minimum: number;
  /** null: nothing bounds it from above. */
  maximum: number | null;
  multipleOf: number;
  definition: Term | null;
}

/** An input with the type and the bounds known so far. */
export interface DraftInput {
  readonly name: string;
  element: ScalarType;
  /** As {@link InputVariable.real}. */
  real: boolean;
  readonly shape: readonly Term[];
  lower: Bound | null;
  upper: Bound | null;
  choices: readonly Term[] | null;
  excluded: readonly Term[];
  nonFinite: boolean;
  structure: InputVariable['structure'];
  /** As {@link InputVariable.machine}. */
  readonly machine?: 'signed' | 'unsigned';
  alphabet?: readonly string[];
}

/** A domain that is still being read. */
export interface DomainDraft {
  readonly sizes: Map<string, DraftSize>;
  readonly inputs: Map<string, DraftInput>;
  readonly preconditions: Term[];
  readonly definitions: Map<string, Definition>;
  /** Whether `ε > 0` of an unknown name declares a real input, as in a domain; in a claim it is a mistake. */
  implicitInputs: boolean;
  /** As `EquationModel.unread`; null if nothing is left out. */
  unread: string | null;
  /** As `EquationModel.widens`, of what is left out. */
  widens: boolean;
  /** Every declared name; grows with the draft, so that helpers may use what is declared after them. */
  readonly scope: Scope;
}

/** Sizes without an upper bound are tested up to this value. */
const defaultMaximum = 64;

/** A draft without declarations; `parent` has the names of equations, or is null if none is known. */
export function emptyDraft(parent: Scope | null): DomainDraft {
  return {
    sizes: new Map(),
    inputs: new Map(),
    preconditions: [],
    definitions: new Map(),
    implicitInputs: true,
    unread: null,
    widens: true,
    scope: childScope(parent),
  };
}

/** The size of that name; a new one is at least `minimum`. */
export function addSize(draft: DomainDraft, name: string, minimum: 0 | 1 = 1): DraftSize {
  const known = draft.sizes.get(name);
  if (known) return known;
  const size: DraftSize = { name, minimum, maximum: null, multipleOf: 1, definition: null };
  draft.sizes.set(name, size);
  draft.scope.entries.set(name, { kind: 'value', value: scalar(variable(name, INTEGER)) });
  return size;
}

/** The numbers of a set or a type. */
export type Numbers = Pick<DraftInput, 'element' | 'real' | 'machine'>;

/** ℝ. */
export const anyReal: Numbers = { element: FLOAT32, real: true };

/** Declares an input without bounds, and its name in the draft's scope. */
export function addInput(
  draft: DomainDraft,
  name: string,
  { element, real, machine }: Numbers,
  shape: readonly Term[],
): DraftInput {
  const input: DraftInput = {
    name,
    element,
    real,
    shape,
    lower: null,
    upper: null,
    choices: null,
    excluded: [],
    nonFinite: false,
    structure: 'none',
    ...(machine ? { machine } : {}),
  };
  draft.inputs.set(name, input);
  publish(draft, input);
  return input;
}

/** Declares an input `name` with the type and the bounds of the input `of`, if there is one. */
export function addTwin(draft: DomainDraft, name: string, of: string): void {
  const known = draft.inputs.get(of);
  if (!known) return;
  const twin = { ...known, name };
  draft.inputs.set(name, twin);
  publish(draft, twin);
}

/** Makes `one` another name of `other`; false, and nothing changes, if not every value of one type is one of the other. */
export function identify(draft: DomainDraft, one: DraftInput, other: DraftInput, fresh: FreshName): boolean {
  const kind = ({ element, shape, structure, choices, alphabet }: DraftInput): string =>
    [typeKey(makeType(element, shape)), structure, choices?.map(termKey).join(), alphabet?.join()].join('|');
  const entry = draft.scope.entries.get(other.name);
  if (one === other || !entry || kind(one) !== kind(other) || !narrow(other, one)) return false;
  draft.inputs.delete(one.name);
  draft.scope.entries.set(one.name, entry);
  const values = new Map([[one.name, variable(other.name, makeType(other.element, other.shape))]]);
  draft.preconditions.forEach((term, i) => {
    if (freeVariables(term).has(one.name)) draft.preconditions[i] = substitute(term, values, fresh);
  });
  return true;
}

/** Narrows `input` to numbers of this type too: integers among reals, those of a format among all. */
export function narrowNumbers(draft: DomainDraft, input: DraftInput, { element, real }: Numbers): void {
  if (element.kind === 'integer' && input.element.kind === 'float') {
    input.element = element;
    publish(draft, input);
  }
  input.real &&= real;
}

/** Makes the input visible under its current type. */
function publish(draft: DomainDraft, input: Pick<DraftInput, 'name' | 'element' | 'shape'>): void {
  draft.scope.entries.set(input.name, {
    kind: 'value',
    value: valueOf(variable(input.name, makeType(input.element, input.shape))),
  });
}

/** Adds a helper, and its name to the draft's scope. */
export function addDefinition(draft: DomainDraft, definition: Definition): void {
  draft.definitions.set(definition.name, definition);
  draft.scope.entries.set(definition.name, { kind: 'definition', definition });
}

/**
 * Adds the declarations of `domain`; shared names are narrowed to what both allow. Returns the names that they declare
 * with different types.
 */
export function includeDomain(draft: DomainDraft, domain: Domain): readonly string[] {
  const conflicts: string[] = [];
  for (const size of domain.sizes) includeSize(draft, size);
  for (const input of domain.variables) {
    const known = draft.inputs.get(input.name);
    if (!known && draft.sizes.has(input.name)) conflicts.push(input.name);
    else if (!known) {
      draft.inputs.set(input.name, draftOf(input));
      publish(draft, input);
    } else if (!narrow(known, input)) conflicts.push(input.name);
  }
  for (const precondition of domain.preconditions) {
    if (!draft.preconditions.includes(precondition)) draft.preconditions.push(precondition);
  }
  return conflicts;
}

/** Adds what `domain` declares under names that are still free, without narrowing anything. */
export function addMissing(draft: DomainDraft, domain: Domain, isKnown: (name: string) => boolean = () => false): void {
  for (const size of domain.sizes)
    if (!draft.sizes.has(size.name) && !draft.inputs.has(size.name)) includeSize(draft, size);
  for (const input of domain.variables) {
    if (draft.inputs.has(input.name) || draft.sizes.has(input.name) || isKnown(input.name)) continue;
    draft.inputs.set(input.name, draftOf(input));
    publish(draft, input);
  }
}

const draftOf = (input: InputVariable): DraftInput => ({ ...input, real: input.real ?? false });

function includeSize(draft: DomainDraft, size: SizeVariable): void {
  const known = addSize(draft, size.name, size.minimum === 0 ? 0 : 1);
  known.minimum = Math.max(known.minimum, size.minimum);
  // The default is not a bound of the contract, so a bound that a claim states replaces it.
  if (size.declaredMaximum !== Infinity) known.maximum = Math.min(known.maximum ?? Infinity, size.maximum);
  known.multipleOf = leastCommonMultiple(known.multipleOf, size.multipleOf);
  known.definition ??= size.definition;
}

function narrow(known: DraftInput, other: InputVariable | DraftInput): boolean {
  const sameKind = known.element.kind === other.element.kind && known.shape.length === other.shape.length;
  if (!sameKind) return false;
  narrowEnd(known, 'lower', other.lower);
  narrowEnd(known, 'upper', other.upper);
  known.choices ??= other.choices;
  known.excluded = [...known.excluded, ...other.excluded];
  known.real &&= other.real ?? false;
  known.nonFinite &&= other.nonFinite;
  if (other.alphabet) known.alphabet = other.alphabet.filter((one) => known.alphabet?.includes(one) ?? true);
  if (known.structure === 'none') known.structure = other.structure;
  return true;
}

/** The least positive common multiple of two positive integers. */
export function leastCommonMultiple(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return (a / x) * b;
}

/** The inputs that must be drawn before `input`. */
export function neededBy({ lower, upper, choices, excluded }: DraftInput): readonly string[] {
  const bounds = [lower, upper].flatMap((bound) => (bound ? [bound.value] : []));
  return [...bounds, ...(choices ?? []), ...excluded].flatMap((term) => [...freeVariables(term)]);
}

/** The domain, its sizes and inputs in an order in which each mentions only earlier ones. */
export function finishDomain(draft: DomainDraft): Domain {
  const sizes = inOrder([...draft.sizes.values()], (size) =>
    size.definition ? [...freeVariables(size.definition)] : [],
  );
  const inputs = inOrder([...draft.inputs.values()], neededBy);
  implyBounds(inputs, draft.sizes);
  const variables = inputs.map(({ real, ...input }): InputVariable => ({
    ...input,
    ...(real ? { real } : {}),
    ...(isOfShares(input) ? { lower: { value: integer(0), open: false } } : {}),
  }));
  const listed = variables.map(withinBounds);
  const known = new Set(draft.preconditions.map(termKey));
  const tested = listed.flatMap((one) => one.tested).filter((term) => !known.has(termKey(term)));
  return {
    sizes: withMaxima(sizes),
    variables: variables.map((input, i) => ({ ...input, choices: listed[i]?.choices ?? null })),
    preconditions: tested.length > 0 ? [...draft.preconditions, ...tested] : draft.preconditions,
  };
}

/**
 * Whether the rows of an input sum to 1 and nothing states a lower bound. Papers omit `p_j ≥ 0`, so the elements are then
 * nonnegative. The range of a machine integer is not such a bound.
 */
export function isOfShares({
  structure,
  element,
  lower,
}: Pick<DraftInput, 'structure' | 'element' | 'lower'>): boolean {
  if (structure !== 'simplex') return false;
  return lower === null || (element.kind === 'integer' && (numberOf(lower.value) ?? 0) <= -(2 ** 31));
}

/** An unbounded size ends at the default; a derived one where its definition ends. */
function withMaxima(sizes: readonly DraftSize[]): readonly SizeVariable[] {
  const largest = new Map<string, number>();
  return sizes.map((size) => {
    const derived = size.definition && evaluateNumber(size.definition, largest);
    const open = derived !== null && derived >= size.minimum ? derived : Math.max(defaultMaximum, size.minimum);
    const maximum = size.maximum ?? open;
    largest.set(size.name, maximum);
    const isOpen = size.maximum === null && size.definition === null;
    return { ...size, maximum, ...(isOpen ? { declaredMaximum: Infinity } : {}) };
  });
}

/** Stable: an item moves only after what it needs. Cycles (which no sensible bounds have) keep their order. */
function inOrder<T extends { readonly name: string }>(
  items: readonly T[],
  needs: (item: T) => readonly string[],
): readonly T[] {
  const byName = new Map(items.map((item) => [item.name, item]));
  const placed = new Set<string>();
  const ordered: T[] = [];
  const place = (item: T): void => {
    if (placed.has(item.name)) return;
    placed.add(item.name);
    for (const name of needs(item)) {
      const needed = byName.get(name);
      if (needed) place(needed);
    }
    ordered.push(item);
  };
  items.forEach(place);
  return ordered;
}
