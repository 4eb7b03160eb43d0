/**
 * Inputs that a claim itself points to, where drawn ones hardly come: those that meet its premise, also with equality, those at which
 * its sides are equal, those at the numbers that it and its formulas are written with, and small whole numbers.
 */
import type { Case } from '../../math/compile/compiled.ts';
import type { Domain } from '../../math/domain.ts';
import type { Term } from '../../math/term/term.ts';
import { violation } from '../../runtime/generate/membership.ts';
import { createGenerator, type CaseGenerator } from '../../runtime/generate/generator.ts';
import { boxOf } from './box.ts';
import { clausesOf, type Clause } from './clauses.ts';
import { closestPoints } from './closest.ts';
import { namedNumbers } from './named-numbers.ts';
import { copyOf, placesOf, type Places, type Point } from './point.ts';
import { meeting, pointsAt, rootsOf } from './solve.ts';

/** A claim over its inputs. */
export interface SteeredRequest {
  readonly name: string;
  readonly domain: Domain;
  /** With the formulas in place of the equations' names. */
  readonly predicate: Term;
  readonly seed: number;
  /** How many cases at most, and how many more where all inputs are whole numbers. */
  readonly most: number;
  readonly mostInBox: number;
  /** Whether the claim is judged in rounded numbers, which are not those that are written. */
  readonly isRounded: boolean;
}

/** Drawn points from which each search begins. */
const starts = 12;
/** Drawn values of a real input between which a claim's closest points are searched. */
const drawnValues = 96;
/** Inputs of a claim whose closest points are searched. */
const mostSearched = 2;

interface Search {
  readonly generator: CaseGenerator;
  readonly places: Places;
  readonly clauses: readonly Clause[];
  readonly numbers: readonly number[];
}

/**
 * Distinct inputs of the domain, the same for the same seed; preconditions are for the caller to check.
 * Of rounded numbers, none is the nearest to a written one: `x > 0.3` may hold there and `x ≤ 0.3`, too.
 */
export function steeredCases({
  name,
  domain,
  predicate,
  seed,
  most,
  mostInBox,
  isRounded,
}: SteeredRequest): readonly Case[] {
  const made = createGenerator(domain, seed, `${name}/steered`, 1);
  if (!made.ok) return [];
  const generator = made.value;
  const places = placesOf(generator);
  const clauses = clausesOf(predicate, new Set(places.names));
  const numbers = namedNumbers([predicate]).map(Number);
  if (places.names.length === 0) return [];
  const search: Search = { generator, places, clauses, numbers };
  const solved = casesFrom(search, starts, solvedFrom);
  const named = casesFrom(search, mostSearched, namedFrom);
  const share = Math.floor(most / 2);
  const chosen = [...spread(solved, most - Math.min(named.length, share)), ...spread(named, share)];
  const roundings = new Set(isRounded ? numbers.flatMap((x) => (Math.fround(x) === x ? [] : Math.fround(x))) : []);
  const isWritten = ({ values }: Case): boolean =>
    !values.some((x) => typeof x === 'number' && roundings.has(Math.abs(x)));
  return [...chosen.filter(isWritten), ...(boxOf(generator.plan, mostInBox) ?? [])];
}

type PointsFrom = (search: Search, point: Point, start: number) => Iterable<Point>;

/** The cases at the points that are found from the first drawn ones. */
function casesFrom(search: Search, startCount: number, pointsFrom: PointsFrom): readonly Case[] {
  const { generator, places } = search;
  const found = new Map<string, Case>();
  for (let start = 0; start < startCount; start++) {
    const drawn = generator.at(start);
    if (!drawn) continue;
    for (const point of pointsFrom(search, places.pointAt(drawn), start)) {
      const candidate = places.caseOf(point, drawn, start);
      if (candidate && violation(generator.plan, candidate) === null) found.set(textOf(candidate, point), candidate);
    }
  }
  return [...found.values()];
}

/** Tensors are as drawn, so that the scalars and sizes tell cases apart. */
const textOf = ({ sizes }: Case, { values }: Point): string => `${sizes.join()};${[...values.values()].join()}`;

/** At most `most` of the items, from everywhere among them. */
function spread<T>(items: readonly T[], most: number): readonly T[] {
  const stride = Math.max(1, items.length / most);
  return items.filter((_, at) => Math.floor(at / stride) !== Math.floor((at - 1) / stride)).slice(0, most);
}

function* solvedFrom(search: Search, point: Point, start: number): Generator<Point> {
  const { places, clauses } = search;
  for (const clause of clauses) {
    const { premises, claims } = clause;
    for (const atEnds of premises.length > 0 ? [true, false] : [])
      yield* met(search, clause, point, { atEnds, turn: start });
    for (const claim of claims)
      for (const root of rootsOf(claim, point, places.names))
        for (const near of pointsAt(root, point, places))
          yield* met(search, clause, near, { fixed: root.name, turn: start });
    if (start < mostSearched) yield* closest(search, clause, point);
  }
}

function* namedFrom(search: Search, point: Point, start: number): Generator<Point> {
  const { places, clauses, numbers } = search;
  for (const name of places.names)
    for (const x of numbers.flatMap((one) => (places.isWhole(name) ? [one, one - 1, one + 1, -one] : [one, -one]))) {
      const moved = copyOf(point);
      if (!places.assign(moved, name, x)) continue;
      yield moved;
      for (const clause of clauses) yield* met(search, clause, moved, { fixed: name, turn: start });
    }
}

/** The point changed so that the premise holds, if there is one and that succeeds. */
function* met(
  { places }: Search,
  { premises }: Clause,
  point: Point,
  { atEnds = false, fixed, turn }: { readonly atEnds?: boolean; readonly fixed?: string; readonly turn: number },
): Generator<Point> {
  const found = meeting(premises, point, places, { atEnds, turn, fixed: new Set(fixed === undefined ? [] : [fixed]) });
  if (found) yield found;
}

function* closest({ generator, places }: Search, clause: Clause, start: Point): Generator<Point> {
  const real = places.names.filter((name) => !places.isWhole(name));
  if (real.length > mostSearched || clause.claims.length === 0) return;
  const drawn = Array.from({ length: drawnValues }, (_, i) => generator.at(2 + i)).flatMap((one) => one ?? []);
  for (const name of real) {
    const values = drawn.map((one) => places.pointAt(one).lookup(name));
    yield* closestPoints(clause, name, { start, drawn: values, places });
  }
}
