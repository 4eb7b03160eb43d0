/**
 * Inputs at the numbers that a kernel's text contains: a kernel that branches at `x > 4.97`, at `n === 97` or at `i === 37` is right
 * everywhere but there, where hardly any drawn input is.
 */
import type { EquationModel } from '../contract/goal.ts';
import type { Case, CaseValue } from '../math/compile/compiled.ts';
import { streamAt, streamKey, uniformInteger, type Xoshiro } from '../numeric/xoshiro.ts';
import { rangeSource, settle, type ElementRange } from '../runtime/generate/element-range.ts';
import { createGenerator, type CaseGenerator } from '../runtime/generate/generator.ts';
import { isOrdinary, sizesAllowed, withDerivedSizes } from '../runtime/generate/sizes.ts';

/** Distinct numbers of one text, the last ones: a bundle begins with what the function imports. */
const MOST_LITERALS = 48;
/** Cases for one equation. */
const MOST_CASES = 256;

const pattern = /(?<![\w.$])(?:0x[\da-f]+|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)(?![\w$])/giu;

/** The distinct positive numbers of a TypeScript text, in its order, at most {@link MOST_LITERALS}. */
export function literalsIn(source: string): readonly number[] {
  const numbers = [...source.matchAll(pattern)].map(([text]) => Number(text));
  const distinct = [...new Set(numbers.filter((x) => Number.isFinite(x) && x > 0).toReversed())];
  return distinct.slice(0, MOST_LITERALS).toReversed();
}

interface Search {
  readonly generator: CaseGenerator;
  readonly stream: Xoshiro;
}

/** Cases whose size is a literal or next to it. */
function atSizes({ generator }: Search, literal: number, index: number): readonly Case[] {
  const { plan, sizesAt, allocate, fill } = generator;
  if (!Number.isSafeInteger(literal)) return [];
  return plan.sizes.flatMap(({ definition }, i) =>
    definition !== null
      ? []
      : [literal - 1, literal, literal + 1].flatMap((value) => {
          const sizes = withDerivedSizes(plan, sizesAt(index).with(i, value));
          if (!sizesAllowed(plan, sizes) || !isOrdinary(plan, sizes)) return [];
          const into = allocate(sizes);
          return fill(index, into) ? [into] : [];
        }),
  );
}

/** Cases with one element, drawn, at a literal or next to it, of either sign. */
function atValues(search: Search, literal: number, index: number): readonly Case[] {
  const { generator, stream } = search;
  return generator.plan.variables.flatMap((variable, i) => {
    if (variable.storage === 'string' || variable.choices || variable.structure !== 'none') return [];
    const { nextUp, nextDown, round } = variable.format;
    const near = variable.integer ? [literal - 1, literal, literal + 1] : aroundOf(round(literal), nextDown, nextUp);
    return [...near, ...near.map((x) => -x)].flatMap((x, at) => {
      const base = generator.at(index + at);
      const value = base?.values[i];
      if (!base || value === undefined || (typeof value === 'object' && value.length === 0)) return [];
      const range = rangeSource(variable)(lookupIn(generator, base));
      if (!range || !isIn(range, x)) return [];
      return [{ ...base, values: base.values.with(i, withElement(value, x, stream)) }];
    });
  });
}

type Neighbour = (x: number) => number;

const aroundOf = (x: number, down: Neighbour, up: Neighbour): readonly number[] => [down(x), x, up(x)];

const isIn = (range: ElementRange, x: number): boolean => x >= range.low && x <= range.high && settle(range, x) === x;

function withElement(value: CaseValue, x: number, stream: Xoshiro): CaseValue {
  if (typeof value !== 'object') return x;
  const copy = value.slice();
  copy[uniformInteger(stream, 0, copy.length - 1)] = x;
  return copy;
}

/** Sizes and scalars of a case by name. */
function lookupIn({ plan }: CaseGenerator, { sizes, values }: Case): (name: string) => number {
  return (name) => {
    const size = plan.sizes.findIndex((one) => one.name === name);
    return size >= 0 ? (sizes[size] ?? NaN) : Number(values[plan.variables.findIndex((one) => one.name === name)]);
  };
}

/**
 * At most {@link MOST_CASES} inputs of the equation's domain at the literals of `source`, the same for the same seed. They satisfy
 * the bounds of the domain, of inputs that later inputs depend on those of the drawn case; preconditions are for the caller to check.
 */
export function literalCases(model: EquationModel, source: string, seed: number): readonly Case[] {
  const generator = createGenerator(model.domain, seed, `${model.name}/literals`, 1);
  if (!generator.ok) return [];
  const stream = streamAt(streamKey(seed, `${model.name}/literals/places`), 0);
  const search = { generator: generator.value, stream };
  const cases: Case[] = [];
  for (const [at, literal] of literalsIn(source).entries()) {
    // The first two sizes are the smallest and the largest.
    const index = 2 + 8 * at;
    cases.push(...atSizes(search, literal, index), ...atValues(search, literal, index));
  }
  const stride = Math.max(1, cases.length / MOST_CASES);
  return cases.filter((_, at) => Math.floor(at / stride) !== Math.floor((at - 1) / stride)).slice(0, MOST_CASES);
}
