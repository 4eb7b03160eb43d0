/**
 * `y = [0, 4]` in a test with given inputs: y's length follows from them, so the list is compared once they are known.
 */
import type { Range } from '../../../diagnostics/source.ts';
import type { Domain } from '../../../math/domain.ts';
import type { Term } from '../../../math/term/term.ts';
import type { GivenCase } from '../../goal.ts';
import { equalSizes } from './binders.ts';
import type { ListedAxis } from '../context/claim-state.ts';
import { fail, type Context } from '../context/context.ts';
import { evaluateNumber } from '../context/evaluate-number.ts';

/**
 * The shape over which two values compare when one of them is a list, or null: then the claim gives no inputs, or the shapes
 * differ in more than lengths that depend on inputs. {@link checkListed} makes the final check.
 */
export function listedShape(
  ctx: Context,
  a: readonly Term[],
  b: readonly Term[],
  range: Range,
): readonly Term[] | null {
  const { claim } = ctx;
  if (claim === null || !claim.inputsGiven || a.length !== b.length) return null;
  const axes: ListedAxis[] = [];
  const shape = a.map((left, axis): Term | null => {
    const right = b[axis] ?? left;
    if (equalSizes(ctx, left, right)) return left;
    const list = [left, right].find((size) => size.kind === 'number');
    const size = list === left ? right : left;
    if (!list || size.kind === 'number') return null;
    axes.push({ size, length: Number(list.value), range });
    return list;
  });
  if (shape.some((size) => size === null)) return null;
  claim.listed.push(...axes);
  return shape.flatMap((size) => size ?? []);
}

/** Records a problem if a list is longer or shorter than what it is compared with in one of `cases`. */
export function checkListed(ctx: Context, domain: Domain, cases: readonly GivenCase[]): void {
  for (const { size, length, range } of ctx.claim?.listed ?? []) {
    for (const { sizes, values } of cases) {
      const env = new Map(domain.sizes.map(({ name }, i) => [name, sizes[i] ?? NaN] as const));
      domain.variables.forEach(({ name }, i) => {
        const value = values[i];
        if (typeof value === 'number') env.set(name, value);
      });
      const actual = evaluateNumber(size, env);
      if (actual === length) continue;
      const found = actual === null ? 'as many elements as its data say' : `${actual} elements on the given inputs`;
      fail(ctx, 'PV-4007', range, `the list has ${length} elements, and what it is compared with has ${found}`);
      return;
    }
  }
}
