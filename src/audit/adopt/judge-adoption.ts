/** Runs the checks of adopted goals in two rounds, the second at the inputs that the first found, and says a word of each. */
import type { Goal } from '../../contract/goal.ts';
import type { Counterexample, Receipt } from '../../evidence/receipt.ts';
import { count, shortened } from '../../base/text.ts';
import { inputLines, parseInput } from '../../runtime/case-text.ts';
import type { Check } from '../../plan/check.ts';
import type { AdoptionWord } from '../../report/adopt/adoption.ts';
import { exactlyAt, roundedCheck, type AdoptedGoal, type AdoptionOptions } from './adoption-checks.ts';
import { mendOf } from './mend.ts';

/** What is known of a goal. */
export interface Judged {
  readonly word: AdoptionWord;
  readonly counterexample: Counterexample | null;
  readonly reason: string;
  readonly mend: string | null;
  readonly extreme?: true;
}

/** Runs checks and returns their receipts by check; one that did not run has none. */
export type RunChecks = (checks: readonly Check[]) => Promise<ReadonlyMap<string, Receipt>>;

/** What every goal is, by its place in `goals`. */
export async function judgeAdopted(
  goals: readonly AdoptedGoal[],
  run: RunChecks,
  options: AdoptionOptions,
): Promise<readonly Judged[]> {
  const first = await run(goals.flatMap(({ exact, rounded }) => [...(exact ? [exact] : []), ...rounded]));
  const seen = goals.map((adopted) => firstRound(adopted, first));
  const doubts = goals.map((adopted, i) => {
    const found = seen[i];
    return found?.broken && !found.refuted ? doubtOf(adopted, found.broken, options) : null;
  });
  const second = await run(doubts.flatMap((doubt) => (doubt ? [...doubt.exact, ...doubt.double] : [])));
  return goals.map((adopted, i) => {
    const found = seen[i];
    if (!found) return notRun(adopted.reason ?? 'no check was planned');
    const doubt = doubts[i];
    return wordOf(adopted, found, {
      exact: doubt?.exact.map(({ id }) => second.get(id))[0] ?? null,
      double: doubt?.double.map(({ id }) => second.get(id))[0] ?? null,
    });
  });
}

interface FirstRound {
  readonly exact: Receipt | null;
  readonly rounded: readonly Receipt[];
  readonly refuted: Counterexample | null;
  readonly broken: Counterexample | null;
}

function firstRound({ exact, rounded }: AdoptedGoal, receipts: ReadonlyMap<string, Receipt>): FirstRound {
  const inReals = (exact && receipts.get(exact.id)) ?? null;
  const inFloats = rounded.flatMap(({ id }) => receipts.get(id) ?? []);
  return {
    exact: inReals,
    rounded: inFloats,
    refuted: inReals?.verdict === 'falsified' && !isUndefined(inReals.counterexample) ? inReals.counterexample : null,
    broken: inFloats.find(({ verdict }) => verdict === 'unsound')?.counterexample ?? null,
  };
}

/** Where a formula has no value, such as at an index outside of a tensor, it says nothing of the claim. */
export function isUndefined(counterexample: Counterexample | null): counterexample is Counterexample {
  return counterexample !== null && /\bNaN\b/u.test(counterexample.explanation);
}

interface Doubt {
  readonly exact: readonly Check[];
  readonly double: readonly Check[];
}

/** Whether the reals break the claim where rounding does, and whether twice the digits mend it. */
function doubtOf(adopted: AdoptedGoal, { input }: Counterexample, options: AdoptionOptions): Doubt {
  const { goal, subjects, mathematics } = adopted;
  const exact = mathematics && exactlyAt(mathematics, input, options);
  return {
    exact: exact ? [exact] : [],
    double: subjects.length > 0 ? [roundedCheck(goal, subjects, options, 'ref64')] : [],
  };
}

interface SecondRound {
  readonly exact: Receipt | null;
  readonly double: Receipt | null;
}

function wordOf(adopted: AdoptedGoal, first: FirstRound, { exact: there, double }: SecondRound): Judged {
  const undefinedAt = [there?.counterexample ?? null, first.exact?.counterexample ?? null].find(isUndefined);
  if (first.broken && !first.refuted && undefinedAt) return notRun(undefinedText(undefinedAt));
  const confirmed = there?.verdict === 'falsified' ? there.counterexample : null;
  const refuted = first.refuted ?? confirmed;
  const of = (word: AdoptionWord, counterexample: Counterexample, reason: string): Judged => ({
    word,
    counterexample,
    reason,
    mend: mendOf(adopted.goal, word, counterexample, worstOf(first, counterexample)),
    ...(word !== 'false' && isExtreme(adopted.goal, counterexample) ? { extreme: true } : {}),
  });
  if (refuted) return of('false', refuted, 'a counterexample in exact arithmetic');
  if (first.broken) {
    // A claim about numbers alone is evaluated in float64, whatever its inputs are.
    const word = adopted.subjects.length === 0 ? 'false-in-float64' : 'false-in-float32';
    const reals = there && isHeld(there) ? `over ℝ it holds there${triedText(first.exact)}` : openText(there);
    const inDouble = double === null ? [] : [doubleText(double)];
    return of(word, first.broken, [reals, ...inDouble].join('; '));
  }
  return withoutCounterexample(adopted, first);
}

function undefinedText({ input }: Counterexample): string {
  return `a formula has no value at ${shortened(inputLines(input).join(', '), 120)}, so it is not understood as meant`;
}

/** The square root of the range of float32: beyond it a square over- or underflows. */
const usual = [1e-18, 1e18] as const;

function isExtreme({ domain }: Goal, { input }: Counterexample): boolean {
  const parsed = parseInput(domain, input);
  const values = parsed.ok
    ? parsed.value.values.flatMap((one) => (typeof one === 'object' ? Array.from(one) : one))
    : [];
  const sizes = values.flatMap((one) => (typeof one === 'number' && one !== 0 ? Math.abs(one) : []));
  return sizes.some((size) => size < usual[0] || size > usual[1]);
}

const isHeld = ({ verdict }: Receipt): boolean => verdict === 'tested' || verdict === 'proved';

function openText(exact: Receipt | null): string {
  return `whether it holds there over ℝ is open${exact?.reason ? `: ${exact.reason}` : ''}`;
}

function triedText(exact: Receipt | null): string {
  return exact && isHeld(exact) ? ` and on ${count(exact.cases, 'other input')}` : '';
}

function doubleText({ verdict, cases }: Receipt): string {
  if (verdict === 'unsound') return 'float64 breaks it too';
  return verdict === 'tested' ? `in float64 it held on ${count(cases, 'input')}` : 'float64 was not decided';
}

function withoutCounterexample({ reason }: AdoptedGoal, { exact, rounded }: FirstRound): Judged {
  const all = [...rounded, ...(exact ? [exact] : [])];
  if (exact && isUndefined(exact.counterexample)) return notRun(undefinedText(exact.counterexample));
  if (reason !== null || all.length === 0) return notRun(reason ?? 'the time ran out before it was evaluated');
  const held = all.filter(isHeld);
  const vacuous = all.find(({ verdict }) => verdict === 'vacuous');
  if (held.length === 0 && vacuous) return { ...notRun(vacuous.reason ?? 'its premise never held'), ...vacuousWord };
  if (held.length === 0) return notRun(all.flatMap((one) => one.reason ?? [])[0] ?? 'no input decided it');
  return { word: 'held', counterexample: null, reason: heldText(held, exact), mend: null };
}

const vacuousWord = {
  word: 'vacuous',
  mend: 'state a premise that inputs of the domain meet, or remove the claim',
} as const;

function heldText(held: readonly Receipt[], exact: Receipt | null): string {
  const floats = held.filter(({ method }) => method !== 'reals');
  const cases = floats.reduce(
    (sum, one) => sum + one.cases + (one.large ?? []).reduce((n, run) => n + run.cases, 0),
    0,
  );
  const parts = [
    ...(exact && isHeld(exact) ? [`${count(exact.cases, 'input')} over ℝ`] : []),
    ...(cases > 0 ? [`${count(cases, 'input')} in float arithmetic`] : []),
  ];
  return `held on ${parts.join(' and ')}`;
}

const notRun = (reason: string): Judged => ({ word: 'not-run', counterexample: null, reason, mend: null });

/** How far the check that found the counterexample was from its tolerance. */
function worstOf({ exact, rounded }: FirstRound, counterexample: Counterexample): Receipt['worst'] {
  const found = [...rounded, ...(exact ? [exact] : [])].find((one) => one.counterexample === counterexample);
  return found?.worst ?? null;
}
