/** Which sizes a claim must be proved at, so that it is proved up to a bound. */
import { present } from '../../base/invariant.ts';
import { err, ok, type Result } from '../../base/result.ts';
import type { Domain, SizeVariable } from '../../math/domain.ts';
import { evaluateTerm } from '../../math/evaluate/interpret.ts';
import type { Term } from '../../math/term/term.ts';
import { freeVariables } from '../../math/term/traverse.ts';

/** The sizes at which a claim is proved. */
export interface SizeChoice {
  /** In the order of `domain.sizes`, the smallest first. */
  readonly sizes: readonly (readonly number[])[];
  /** Whether these are all sizes up to the bound that the domain allows; else some of them. */
  readonly complete: boolean;
  /** e.g. `every n from 1 to 16`, `12 of 4096 sizes with n, d ≤ 16`. */
  readonly scope: string;
}

/** With more combinations than this, only some are chosen: a proof of these is partial. */
const mostCombinations = 512;
/** Combinations looked at. */
const mostTried = 4096;

/** What a harness says about single sizes: the largest value of one, or its only ones. */
export type SizeLimits = Readonly<Record<string, number | readonly number[]>>;

/** The sizes of `domain` at which no size that may be chosen freely exceeds `bound`, and those that `limits` lists have one of those values. */
export function sizesFor(domain: Domain, bound: number, limits: SizeLimits = {}): Result<SizeChoice, string> {
  const free = domain.sizes.filter(({ definition }) => definition === null);
  const unknown = Object.keys(limits).find((name) => !free.some((size) => size.name === name));
  if (unknown !== undefined) return err(unknownSize(unknown, domain, free));
  const listed = (name: string): readonly number[] | null => {
    const limit = limits[name];
    return typeof limit === 'object' ? limit : null;
  };
  const ranges = free.map((size) => valuesOf(size, bound, listed(size.name)));
  const empty = free.find((_, i) => ranges[i]?.length === 0);
  if (empty)
    return err(
      listed(empty.name)
        ? `none of the values listed for ${empty.name} is in the domain`
        : `${empty.name} is at least ${empty.minimum}, which is more than the bound ${bound}`,
    );
  const combinations = ranges.reduce((product, { length }) => product * length, 1);
  const tried = combinations <= mostTried ? allOf(ranges) : someOf(ranges);
  const allowed = tried.flatMap((values) => completed(domain, free, values) ?? []);
  if (allowed.length === 0) return err(`no sizes up to ${bound} are in the domain`);
  const complete = combinations <= mostTried && allowed.length <= mostCombinations;
  const chosen = complete ? allowed : someOf(ranges).flatMap((values) => completed(domain, free, values) ?? []);
  if (chosen.length === 0) return err(`no sizes up to ${bound} were found in the domain`);
  const names = free.map(({ name }) => name).join(', ');
  return ok({ sizes: chosen, complete, scope: scopeOf({ names, free, bound, listed, chosen, complete, allowed }) });
}

/** At size 1 no loop runs twice, and no element has a neighbour. */
const leastBound = 2;

/**
 * Why the proof that is requested can only be partial: a list leaves out sizes below its largest, or no size reaches
 * {@link leastBound} although the domain has larger ones. Null otherwise. `domain` is that of the claim, uncut.
 */
export function leftOut(domain: Domain, bound: number, limits: SizeLimits = {}): string | null {
  const free = domain.sizes.filter(({ definition }) => definition === null);
  for (const size of free) {
    const listed = limits[size.name];
    if (typeof listed !== 'object') continue;
    const missing = rangeOf(size, Math.max(...listed)).find((value) => !listed.includes(value));
    if (missing !== undefined) return `${size.name} = ${missing} is left out`;
  }
  const largest = ({ name }: SizeVariable): number => Math.max(...[limits[name] ?? bound].flat());
  const variable = free.filter(({ minimum, maximum }) => maximum > Math.max(1, minimum));
  return variable.length > 0 && variable.every((size) => largest(size) < leastBound)
    ? `no size reaches ${leastBound}`
    : null;
}

function unknownSize(name: string, { sizes }: Domain, free: readonly SizeVariable[]): string {
  const names = free.map((size) => size.name).join(', ');
  const why = sizes.some((size) => size.name === name) ? 'is computed from others' : 'is not a size of the claim';
  return `the harness limits ${name}, which ${why}: ${names === '' ? 'it has none' : `those to choose are ${names}`}`;
}

function valuesOf(size: SizeVariable, bound: number, listed: readonly number[] | null): readonly number[] {
  const { minimum, maximum, multipleOf } = size;
  return listed === null
    ? rangeOf(size, bound)
    : listed.filter((value) => value >= minimum && value <= maximum && value % multipleOf === 0);
}

function rangeOf({ minimum, maximum, multipleOf }: SizeVariable, bound: number): readonly number[] {
  const first = Math.ceil(minimum / multipleOf) * multipleOf;
  const last = Math.min(maximum, bound);
  return Array.from(
    { length: Math.max(0, Math.floor((last - first) / multipleOf) + 1) },
    (_, i) => first + i * multipleOf,
  );
}

function allOf(ranges: readonly (readonly number[])[]): readonly (readonly number[])[] {
  return ranges.reduce<readonly (readonly number[])[]>(
    (all, range) => all.flatMap((values) => range.map((value) => [...values, value])),
    [[]],
  );
}

/** Each size alone from its least to its largest while all others are at their least, and then at their largest. */
function someOf(ranges: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const found = new Map<string, readonly number[]>();
  for (const end of [0, -1]) {
    const others = ranges.map((range) => present(range.at(end), 'a range of sizes is not empty'));
    ranges.forEach((range, axis) => {
      for (const value of spread(range)) {
        const sizes = others.with(axis, value);
        found.set(sizes.join(), sizes);
      }
    });
  }
  return [...found.values()].sort((a, b) => product(a) - product(b));
}

const product = (sizes: readonly number[]): number => sizes.reduce((all, size) => all * size, 1);

/** At most eight values: the ends, and what lies between them in even steps. */
function spread(range: readonly number[]): readonly number[] {
  if (range.length <= 8) return range;
  return Array.from({ length: 8 }, (_, i) =>
    present(range[Math.round((i * (range.length - 1)) / 7)], 'a range of sizes is not empty'),
  );
}

/** All sizes, those that are computed from others too; null if the domain does not allow them. */
function completed(
  domain: Domain,
  free: readonly SizeVariable[],
  values: readonly number[],
): readonly [readonly number[]] | null {
  const named = new Map(
    free.map(({ name }, i): [string, number] => [name, present(values[i], 'each free size has a value')]),
  );
  for (const { name, definition } of domain.sizes) if (definition) named.set(name, numberAt(definition, named));
  const sizes = domain.sizes.map(({ name }) => named.get(name) ?? Number.NaN);
  const inside = domain.sizes.every(({ minimum, maximum, multipleOf }, i) => {
    const size = sizes[i] ?? Number.NaN;
    return Number.isSafeInteger(size) && size >= minimum && size <= maximum && size % multipleOf === 0;
  });
  const overSizes = domain.preconditions.filter((term) => [...freeVariables(term)].every((name) => named.has(name)));
  return inside && overSizes.every((term) => evaluateTerm(term, named) === true) ? [sizes] : null;
}

function numberAt(term: Term, named: ReadonlyMap<string, number>): number {
  const value = evaluateTerm(term, named);
  return typeof value === 'number' ? value : Number.NaN;
}

interface Scope {
  readonly names: string;
  readonly free: readonly SizeVariable[];
  readonly bound: number;
  readonly listed: (name: string) => readonly number[] | null;
  readonly chosen: readonly (readonly number[])[];
  readonly complete: boolean;
  readonly allowed: readonly (readonly number[])[];
}

function scopeOf({ names, free, bound, listed, chosen, complete, allowed }: Scope): string {
  const [only] = free;
  if (!only) return 'the claim has no sizes';
  if (free.some(({ name }) => listed(name))) {
    const said = free.map(
      ({ name, maximum }) => listedText(name, listed(name)) ?? `${name} ≤ ${Math.min(maximum, bound)}`,
    );
    return complete ? said.join(', ') : `${chosen.length} of the sizes with ${said.join(', ')}`;
  }
  const mostOf = ({ maximum }: SizeVariable): number => Math.min(maximum, bound);
  const areAlike = free.every((size) => mostOf(size) === mostOf(only));
  const limits = areAlike
    ? `${names} ≤ ${mostOf(only)}`
    : free.map((size) => `${size.name} ≤ ${mostOf(size)}`).join(', ');
  if (!complete) return `${chosen.length} of the sizes with ${limits}`;
  const steps = only.multipleOf === 1 ? '' : ` divisible by ${only.multipleOf}`;
  if (free.length === 1) return `every ${names}${steps} from ${only.minimum} to ${mostOf(only)}`;
  return `all ${allowed.length} sizes with ${limits}`;
}

function listedText(name: string, values: readonly number[] | null): string | null {
  if (values === null) return null;
  return values.length === 1 ? `${name} = ${values.join()}` : `${name} ∈ {${values.join(', ')}}`;
}
