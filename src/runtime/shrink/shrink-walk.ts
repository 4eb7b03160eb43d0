/**
 * The order in which smaller inputs are tried: sizes, whole tensors, equal values together, then single elements.
 *
 * A walk yields candidates inside the domain and receives whether each still fails; it continues from those that do.
 * Every step is strictly smaller or simpler, so every walk ends; the caller bounds its length.
 */
import type { Case, CaseValue } from '../../math/compile/compiled.ts';
import type { DomainPlan } from '../generate/domain-plan.ts';
import type { ElementRange } from '../generate/element-range.ts';
import type { CaseBuffer } from '../generate/generator.ts';
import { violation } from '../generate/membership.ts';
import { dropSlice } from './drop-slices.ts';
import { fitToDomain, lookupIn, rangeIn } from './fit-to-domain.ts';
import { simplerTexts } from './simpler-texts.ts';
import { simplerValues, simplestValue } from './simpler-values.ts';

/** Yields candidates, receives "still fails", returns the simplest failing case. */
export type ShrinkWalk = Generator<Case, Case, boolean>;

/** A walk that keeps what it accepts in `best`. */
interface Walker {
  readonly plan: DomainPlan;
  best: Case;
}

type Steps = Generator<Case, boolean, boolean>;

function copyOf(from: Case): CaseBuffer {
  return { sizes: from.sizes, values: from.values.map((value) => (typeof value === 'object' ? value.slice() : value)) };
}

function* attempt(walker: Walker, candidate: CaseBuffer | null): Steps {
  if (!candidate || violation(walker.plan, candidate) !== null) return false;
  const fails = yield candidate;
  if (fails) walker.best = candidate;
  return fails;
}

function* attemptDrop(walker: Walker, size: number, from: number, count: number): Steps {
  const smaller = dropSlice(walker.plan, walker.best, { size, from, count });
  if (!smaller) return false;
  const candidate = copyOf(smaller);
  fitToDomain(walker.plan, candidate);
  return yield* attempt(walker, candidate);
}

/** `most`, then the powers of two below it: a fault at every 16th size is found again at a smaller one. */
function* chunksUpTo(most: number): Generator<number> {
  if (most > 0) yield most;
  for (let chunk = 2 ** Math.floor(Math.log2(Math.max(1, most - 1))); chunk >= 1; chunk /= 2) yield chunk;
}

/** Removes indices of one size: all that may go at once, then ever fewer, down to single ones. */
function* shrinkSize(walker: Walker, size: number): Steps {
  const { minimum, multipleOf } = walker.plan.sizes[size] ?? { minimum: 0, multipleOf: 1 };
  const value = (): number => walker.best.sizes[size] ?? 0;
  let progress = false;
  for (const chunk of chunksUpTo(Math.floor((value() - minimum) / multipleOf))) {
    const count = chunk * multipleOf;
    for (let from = Math.max(0, value() - count); from >= 0 && value() - count >= minimum;) {
      const dropped = yield* attemptDrop(walker, size, from, count);
      progress ||= dropped;
      if (from === 0 && !dropped) break;
      from = Math.max(0, Math.min(from, value()) - count);
    }
  }
  return progress;
}

function replaced(walker: Walker, variable: number, change: (value: CaseValue) => CaseValue): CaseBuffer {
  const candidate = copyOf(walker.best);
  const value = candidate.values[variable];
  if (value !== undefined) candidate.values[variable] = change(value);
  return candidate;
}

/** Sets elements [from, to) to the simplest value when that changes anything. */
function* flatten(
  walker: Walker,
  variable: number,
  range: ElementRange,
  span: { readonly from: number; readonly to: number },
): Steps {
  const simplest = simplestValue(range);
  const current = walker.best.values[variable];
  if (typeof current !== 'object' || current.subarray(span.from, span.to).every((x) => Object.is(x, simplest)))
    return false;
  return yield* attempt(
    walker,
    replaced(walker, variable, (value) =>
      typeof value === 'object' ? value.fill(simplest, span.from, span.to) : value,
    ),
  );
}

function* flattenChunks(walker: Walker, variable: number, range: ElementRange): Steps {
  const length = lengthOf(walker.best.values[variable]);
  let progress = false;
  for (let chunk = length; chunk >= 2; chunk = Math.ceil(chunk / 2)) {
    for (let from = 0; from < length; from += chunk)
      progress = (yield* flatten(walker, variable, range, { from, to: from + chunk })) || progress;
    if (chunk === 2) break;
  }
  return progress;
}

function lengthOf(value: CaseValue | undefined): number {
  return typeof value === 'object' ? value.length : value === undefined ? 0 : 1;
}

/** Replaces every occurrence of `from`, so that ties remain ties. */
function substituted(value: CaseValue, from: number, to: number): CaseValue {
  if (typeof value === 'number') return Object.is(value, from) ? to : value;
  if (typeof value === 'string') return value;
  return value.map((x) => (Object.is(x, from) ? to : x));
}

function numbersOf(value: CaseValue | undefined): readonly number[] {
  return typeof value === 'number' ? [value] : typeof value === 'object' ? [...value] : [];
}

/** Above this many distinct values, trying them all together costs more than it finds. */
const DISTINCT_LIMIT = 12;

function* simplifyTogether(walker: Walker, variable: number, range: ElementRange): Steps {
  const distinct = [...new Set(numbersOf(walker.best.values[variable]))];
  if (distinct.length > DISTINCT_LIMIT) return false;
  let progress = false;
  for (const from of distinct) {
    for (const to of simplerValues(range, from)) {
      if (
        yield* attempt(
          walker,
          replaced(walker, variable, (value) => substituted(value, from, to)),
        )
      ) {
        progress = true;
        break;
      }
    }
  }
  return progress;
}

function withElement(value: CaseValue, at: number, x: number): CaseValue {
  if (typeof value === 'number') return x;
  if (typeof value === 'object') value[at] = x;
  return value;
}

function* simplifyElement(walker: Walker, variable: number, range: ElementRange, at: number): Steps {
  const current = numbersOf(walker.best.values[variable])[at] ?? 0;
  for (const x of simplerValues(range, current)) {
    if (
      yield* attempt(
        walker,
        replaced(walker, variable, (value) => withElement(value, at, x)),
      )
    )
      return true;
  }
  return false;
}

function* simplifyNumbers(walker: Walker, variable: number, range: ElementRange): Steps {
  let progress = yield* flattenChunks(walker, variable, range);
  progress = (yield* simplifyTogether(walker, variable, range)) || progress;
  for (let at = 0; at < lengthOf(walker.best.values[variable]); at++)
    progress = (yield* simplifyElement(walker, variable, range, at)) || progress;
  return progress;
}

/** Earlier choices are simpler than later ones. */
function* simplifyChoices(walker: Walker, variable: number, choices: readonly number[]): Steps {
  let progress = false;
  for (let at = 0; at < lengthOf(walker.best.values[variable]); at++) {
    const current = numbersOf(walker.best.values[variable])[at] ?? 0;
    for (const choice of choices.slice(0, Math.max(0, choices.indexOf(current)))) {
      if (
        yield* attempt(
          walker,
          replaced(walker, variable, (value) => withElement(value, at, choice)),
        )
      ) {
        progress = true;
        break;
      }
    }
  }
  return progress;
}

/** Follows the candidates of a string for as long as one of them fails. */
function* simplifyString(walker: Walker, variable: number, choices: readonly string[] | null): Steps {
  const current = (): string => String(walker.best.values[variable] ?? '');
  let progress = false;
  for (let again = true; again;) {
    again = false;
    for (const text of choices ? choices.slice(0, Math.max(0, choices.indexOf(current()))) : simplerTexts(current())) {
      again = yield* attempt(
        walker,
        replaced(walker, variable, () => text),
      );
      if (again) break;
    }
    progress ||= again;
  }
  return progress;
}

function* simplifyVariable(walker: Walker, index: number): Steps {
  const variable = walker.plan.variables[index];
  if (!variable) return false;
  if (variable.storage === 'string') return yield* simplifyString(walker, index, variable.stringChoices);
  if (variable.choices) {
    const lookup = lookupIn(walker.plan, walker.best);
    return yield* simplifyChoices(
      walker,
      index,
      variable.choices.map((choice) => variable.format.round(choice(lookup))),
    );
  }
  const range = rangeIn(walker.plan, copyOf(walker.best), index);
  return range ? yield* simplifyNumbers(walker, index, range) : false;
}

/** Rounds over all sizes and variables; a second round profits from what the first made smaller. */
const ROUNDS = 6;

/** The walk from `start`, which fails. */
export function* shrinkWalk(plan: DomainPlan, start: Case): ShrinkWalk {
  const walker: Walker = { plan, best: start };
  for (let round = 0, progress = true; progress && round < ROUNDS; round++) {
    progress = false;
    for (let size = 0; size < plan.sizes.length; size++) {
      if (plan.sizes[size]?.definition === null) progress = (yield* shrinkSize(walker, size)) || progress;
    }
    for (let variable = 0; variable < plan.variables.length; variable++)
      progress = (yield* simplifyVariable(walker, variable)) || progress;
  }
  return walker.best;
}
