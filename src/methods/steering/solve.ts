/** Points at which both sides of a comparison are equal, or next to that, and points that meet all comparisons of a premise. */
import type { Comparison } from './clauses.ts';
import { solutions, valueAt } from './invert.ts';
import { copyOf, holdsAt, type Places, type Point } from './point.ts';
import { freeVariables } from '../../math/term/traverse.ts';

/** Values of one input. */
interface Root {
  readonly name: string;
  readonly x: number;
}

/** Values of single inputs at which both sides are equal, the others as they are. */
export function rootsOf({ left, right }: Comparison, { lookup }: Point, names: readonly string[]): readonly Root[] {
  const [onLeft, onRight] = [freeVariables(left), freeVariables(right)];
  return names.flatMap((name) => {
    if (onLeft.has(name) === onRight.has(name)) return [];
    const [own, other] = onLeft.has(name) ? [left, right] : [right, left];
    return solutions(own, name, valueAt(other, lookup), lookup).map((x) => ({ name, x }));
  });
}

/** The points at a root and next to it, those in the domain; with `apart`, next to it is an eighth away where a number is real. */
export function pointsAt({ name, x }: Root, point: Point, places: Places, apart = false): readonly Point[] {
  const isWhole = places.isWhole(name);
  const exact = isWhole ? Math.round(x) : x;
  const eighth = Math.max(Math.abs(x), 1 / 8) / 8;
  const next = apart && !isWhole ? [exact - eighth, exact + eighth] : places.neighbours(name, exact);
  return [exact, ...next].flatMap((near) => {
    const moved = copyOf(point);
    return places.assign(moved, name, near) ? [moved] : [];
  });
}

/** How often what one comparison needs may undo what another one needed. */
const passes = 4;

/** How a premise is met. */
export interface Meeting {
  /** Whether inequalities are met with equality, where they can be. */
  readonly atEnds: boolean;
  /** Inputs that keep their values. */
  readonly fixed: ReadonlySet<string>;
  /** Chooses among several ways. */
  readonly turn: number;
}

/** The point with inputs changed so that all comparisons hold; null if that does not succeed. */
export function meeting(
  premises: readonly Comparison[],
  start: Point,
  places: Places,
  { atEnds, fixed, turn }: Meeting,
): Point | null {
  let point = start;
  const free = places.names.filter((name) => !fixed.has(name));
  for (let pass = 0; pass < passes; pass++) {
    const asEqual = atEnds && pass === 0;
    if (!asEqual && premises.every((one) => holdsAt(one, point))) return point;
    for (const one of premises) {
      const hasEnd = one.fn === 'less-equal' || one.fn === 'greater-equal';
      if (holdsAt(one, point) && !(asEqual && hasEnd)) continue;
      // Neighbouring floats meet a strict order, and their images are often equal: that says little of a formula.
      const ways = rootsOf(one, point, free)
        .flatMap((root) => pointsAt(root, point, places, one.fn === 'less' || one.fn === 'greater'))
        .filter((moved) => holdsAt(one, moved));
      point = ways[(turn + pass) % Math.max(1, ways.length)] ?? point;
    }
  }
  return premises.every((one) => holdsAt(one, point)) ? point : null;
}
