/** Runs the checks of adopted goals in two rounds, the second at the inputs that the first found, and says a word of each. */
import type { Tolerance } from '../../contract/contract.ts';
import type { Goal } from '../../contract/goal.ts';
import type { Counterexample, Receipt } from '../../evidence/receipt.ts';
import { count, listOf } from '../../base/text.ts';
import { givenInput } from '../../plan/given-input.ts';
import { inputLines } from '../../report/facts.ts';
import type { Check } from '../../plan/check.ts';
import { realPredicate } from '../../methods/reals.ts';
import { emptyDomain, hasOneInput, isPremiseEmpty } from '../../methods/steering/shown-empty.ts';
import { isAllTried } from '../../plan/all-tried.ts';
import { openCasesIn } from '../../plan/open-cases.ts';
import type { AdoptionWord } from '../../report/adopt/adoption.ts';
import { exactlyAt, roundedAt, roundedCheck, type AdoptedGoal, type AdoptionOptions } from './adoption-checks.ts';
import { conventionText, withEntropyConvention } from './entropy-convention.ts';
import { halfwayConventions, halfwayText } from './halfway-conventions.ts';
import { heldText, isHeld, tooFew } from './held-inputs.ts';
import { mendOf, sidesOf } from './mend.ts';
import { premisesOf, type Premise } from './met-premises.ts';
import { otherConventions } from './other-conventions.ts';
import { indicesText, withIndices } from './undeclared-indices.ts';
import { underConvention } from './under-convention.ts';
import { isOfWholeNumbers } from './whole-numbers.ts';

/** What is known of a goal. */
export interface Judged {
  readonly word: AdoptionWord;
  readonly counterexample: Counterexample | null;
  readonly reason: string;
  readonly mend: string | null;
  readonly extreme?: true;
  readonly open?: true;
  readonly overflows?: true;
  readonly roundedOnly?: true;
}

/** Runs checks and returns their receipts by check; one that did not run has none. */
export type RunChecks = (checks: readonly Check[]) => Promise<ReadonlyMap<string, Receipt>>;

/**
 * What every goal is, by its place in `goals`; where a formula has no value otherwise, with 0·log 0 = 0. What is false only if halves are
 * rounded to even is not false.
 */
export async function judgeAdopted(
  goals: readonly AdoptedGoal[],
  run: RunChecks,
  options: AdoptionOptions,
): Promise<readonly Judged[]> {
  const plain = await judgeGoals(goals, run, options);
  const extended = await judgeAgain(goals, plain, run, options, (goal, judged) =>
    hasNoValue(judged) ? withEntropyConvention(goal, options) : null,
  );
  let found = plain.map((judged, i) => {
    const other = extended[i];
    return !other || hasNoValue(other) ? judged : { ...other, reason: `${other.reason}; ${conventionText}` };
  });
  for (const convention of halfwayConventions) {
    const others = await judgeAgain(goals, found, run, options, (goal, { word }) =>
      word === 'false' ? underConvention(goal, convention, options) : null,
    );
    found = found.map((judged, i) => (others[i] && others[i].word !== 'false' ? notRun(halfwayText) : judged));
  }
  const whole = await judgeAgain(goals, found, run, options, (goal, { word }) =>
    word === 'false' ? withIndices(goal, options) : null,
  );
  found = found.map((judged, i) =>
    whole[i] && whole[i].word !== 'false' ? notRun(indicesText(goals[i]?.indices ?? [])) : judged,
  );
  for (const convention of otherConventions) {
    const others = await judgeAgain(goals, found, run, options, (goal, { word }) =>
      word === 'false' ? underConvention(goal, convention, options) : null,
    );
    found = found.map((judged, i) =>
      others[i]?.word === 'held' ? { ...judged, reason: `${judged.reason}; it holds ${convention.name}` } : judged,
    );
  }
  return whereMet(goals, found, run, options);
}

/** What held counts only if some input met the premise of each of its implications. */
async function whereMet(
  goals: readonly AdoptedGoal[],
  judged: readonly Judged[],
  run: RunChecks,
  options: AdoptionOptions,
): Promise<readonly Judged[]> {
  const premises = goals.map((goal, i) => (judged[i]?.word === 'held' ? premisesOf(goal, options) : []));
  const unmetOf = async (
    asked: readonly Premise[],
    checksIn: (one: Premise) => readonly Check[],
  ): Promise<Premise[]> => {
    const receipts = await run(asked.flatMap(checksIn));
    return asked.filter((one) => !checksIn(one).some(({ id }) => receipts.get(id)?.counterexample));
  };
  const unmet = new Set(await unmetOf(await unmetOf(premises.flat(), ({ checks }) => checks), ({ large }) => large));
  return judged.map((one, i) => {
    const first = premises[i]?.find((premise) => unmet.has(premise));
    return first ? notRun(`no input that was tried met its premise ${first.text}; the rest ${one.reason}`) : one;
  });
}

/** What the goals are that `other` gives in place of some of them, by their places. */
async function judgeAgain(
  goals: readonly AdoptedGoal[],
  judged: readonly Judged[],
  run: RunChecks,
  options: AdoptionOptions,
  other: (goal: AdoptedGoal, judged: Judged) => AdoptedGoal | null,
): Promise<readonly (Judged | undefined)[]> {
  const changed = goals.map((goal, i) => (judged[i] ? other(goal, judged[i]) : null));
  const again = await judgeGoals(
    changed.filter((goal) => goal !== null),
    run,
    options,
  );
  const results = again.values();
  return changed.map((goal) => (goal ? results.next().value : undefined));
}

async function judgeGoals(
  goals: readonly AdoptedGoal[],
  run: RunChecks,
  options: AdoptionOptions,
): Promise<readonly Judged[]> {
  const first = await run(goals.flatMap(({ exact, rounded }) => [...(exact ? [exact] : []), ...rounded]));
  const seen = goals.map((adopted) => firstRound(adopted, first));
  const doubts = goals.map((adopted, i) => (seen[i] ? doubtOf(adopted, seen[i], options) : noDoubt));
  const second = await run(doubts.flatMap((doubt) => Object.values(doubt).flatMap((check) => check ?? [])));
  const receiptOf = (check: Check | null | undefined): Receipt | null => (check && second.get(check.id)) ?? null;
  return goals.map((adopted, i) => {
    const found = seen[i];
    if (adopted.goal.comparesKernels) return needsKernel(adopted.goal);
    if (!found) return notRun(adopted.reason ?? 'no check was planned');
    const doubt = doubts[i];
    return wordOf(adopted, found, {
      exact: receiptOf(doubt?.exact),
      double: receiptOf(doubt?.double),
      rounded: receiptOf(doubt?.rounded),
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

/** In float arithmetic both sides overflowed to what is not a number, which equals nothing: no relation is broken. */
function hasNoSides({ explanation }: Counterexample): boolean {
  return /\bleft = NaN, right = NaN\b/u.test(explanation);
}

/** Both sides are the same operations, of which a claim rounds all but the last: no kernel could do better. */
function isLastRounding({ explanation }: Counterexample): boolean {
  return explanation.includes('is the float32 number nearest to the right one');
}

/** Whether the sides differ by no more than a tolerance that the claim states and does not use. */
function isAllowed(unused: Tolerance | null, { explanation }: Counterexample): boolean {
  const sides = sidesOf(explanation);
  if (!unused || unused.per || !sides) return false;
  const { abs, rel } = unused;
  return Math.abs(sides[0] - sides[1]) <= (abs ?? 0) + (rel ?? 0) * Math.abs(sides[1]);
}

const comparison = 'compare with ≈ and a tolerance';

/** What the second round runs. */
interface Doubt {
  /** Over the reals, where rounding breaks the claim. */
  readonly exact: Check | null;
  /** With twice the digits, on inputs of its own. */
  readonly double: Check | null;
  /** In float32, where the reals break it: a claim about rounding (σ(−104) = 0) is true of the numbers that it is about. */
  readonly rounded: Check | null;
}

const noDoubt: Doubt = { exact: null, double: null, rounded: null };

function doubtOf(adopted: AdoptedGoal, { refuted, broken }: FirstRound, options: AdoptionOptions): Doubt {
  const { goal, subjects, mathematics } = adopted;
  return {
    exact: broken && mathematics && exactlyAt(mathematics, broken.input, options),
    double: broken && subjects.length > 0 ? roundedCheck(goal, subjects, options, { backend: 'ref64' }) : null,
    rounded: refuted && goal.overReals === null ? roundedAt(adopted, refuted.input, options) : null,
  };
}

interface SecondRound {
  readonly exact: Receipt | null;
  readonly double: Receipt | null;
  readonly rounded: Receipt | null;
}

function wordOf(adopted: AdoptedGoal, first: FirstRound, { exact: there, double, rounded }: SecondRound): Judged {
  const undefinedAt = [there?.counterexample ?? null, first.exact?.counterexample ?? null].find(isUndefined);
  if (undefinedAt) return notRun(undefinedText(undefinedAt));
  const of = (word: AdoptionWord, counterexample: Counterexample, reason: string): Judged => ({
    word,
    counterexample,
    reason,
    mend: mendOf(adopted.goal, word, counterexample, worstOf(first, counterexample)),
    ...(word !== 'false' && isExtreme(adopted.goal, counterexample) ? { extreme: true } : {}),
  });
  const refuted = refutedIn(adopted, first, { exact: there, rounded });
  if (refuted) return of('false', refuted, 'a counterexample in exact arithmetic');
  if (isAboutNumbers(adopted) && first.exact?.verdict !== 'falsified') return onlyExact(first.exact);
  if (first.broken && isRoundedCount(adopted, there))
    return withReason(onlyExact(first.exact), roundedCountText(first.broken));
  const excused = first.broken && excuseOf(adopted, first.broken, there, triedText(first.exact));
  if (excused) return notRun(excused);
  return brokenInFloats(adopted, first, { exact: there, double }, of) ?? withoutCounterexample(adopted, first);
}

/** What is said of a claim that only rounded numbers break; null if they do not. */
function brokenInFloats(
  { subjects }: AdoptedGoal,
  { exact, broken }: FirstRound,
  { exact: there, double }: Pick<SecondRound, 'exact' | 'double'>,
  of: (word: AdoptionWord, counterexample: Counterexample, reason: string) => Judged,
): Judged | null {
  if (!broken) return null;
  // A claim about numbers alone is evaluated in float64, whatever its inputs are.
  const word = subjects.length === 0 ? 'false-in-float64' : 'false-in-float32';
  const inDouble = double === null ? [] : [doubleText(double)];
  const isOpen = there === null || !isHeld(there);
  const reals = isOpen ? openText(there) : `over ℝ it holds there${triedText(exact)}`;
  const judged = of(word, broken, [reals, ...inDouble].join('; '));
  if (hasNoSides(broken)) return { ...judged, overflows: true };
  if (!isOpen) return judged;
  const otherwise = 'otherwise correct the claim or the formula';
  return { ...judged, open: true, mend: `if it holds over ℝ there, ${judged.mend ?? 'widen it'}; ${otherwise}` };
}

/** A claim about whole numbers that holds at an input where only floats, which round them, break it. */
const isRoundedCount = ({ mathematics }: AdoptedGoal, there: Receipt | null): boolean =>
  mathematics !== null && there !== null && isHeld(there) && isOfWholeNumbers(mathematics);

const roundedCountText = ({ input }: Counterexample): string =>
  `float arithmetic breaks it where it rounds whole numbers, such as ${inputLines(input, 60).join(', ')}`;

const withReason = (judged: Judged, more: string): Judged => ({ ...judged, reason: `${judged.reason}; ${more}` });

/** Why an input at which rounded numbers break a claim says nothing against it, or null. `there` is the claim over the reals at that input. */
function excuseOf(
  { unused }: AdoptedGoal,
  broken: Counterexample,
  there: Receipt | null,
  tried: string,
): string | null {
  if (there === null) return null;
  if (isOutside(there)) return `${outsideText} ${inputLines(broken.input, 60).join(', ')}`;
  if (!isHeld(there)) return null;
  if (isLastRounding(broken))
    return `over ℝ it holds there${tried}, and in float32 it does but for one rounding: ${comparison}`;
  if (isAllowed(unused, broken))
    return `over ℝ it holds there${tried}, and float32 is off by less than the tolerance, which = and ≤ do not use: write ≈, or add it to a side`;
  return null;
}

/** The input at which the reals break the claim, and rounded numbers too if it is about them; null if there is none. */
function refutedIn(
  { goal }: AdoptedGoal,
  { refuted }: FirstRound,
  { exact, rounded }: Pick<SecondRound, 'exact' | 'rounded'>,
): Counterexample | null {
  if (exact?.verdict === 'falsified') return exact.counterexample;
  return goal.overReals !== null || rounded?.verdict === 'unsound' ? refuted : null;
}

const noValue = 'a formula has no value at';

const hasNoValue = (judged: Judged | undefined): boolean =>
  judged?.word === 'not-run' && judged.reason.startsWith(noValue);

function undefinedText({ input }: Counterexample): string {
  const lines = inputLines(input, 60);
  return `${noValue} ${lines.length > 0 ? lines.join(', ') : 'these numbers'}, so it is not understood as meant`;
}

/** The square root of the range of float32: beyond it a square over- or underflows. */
const usual = [1e-18, 1e18] as const;

function isExtreme({ domain }: Goal, { input }: Counterexample): boolean {
  const values = givenInput(domain, input)?.values.flat() ?? [];
  const sizes = values.flatMap((one) => (typeof one === 'number' && one !== 0 ? Math.abs(one) : []));
  return sizes.some((size) => size < usual[0] || size > usual[1]);
}

const outsideText = 'float arithmetic breaks it only where exact arithmetic finds the input outside of the domain:';

/** Whether the one input that was tried is not of the domain: it broke a bound or a precondition. */
const isOutside = ({ verdict, cases }: Receipt): boolean => verdict === 'vacuous' && cases === 0;

function openText(exact: Receipt | null): string {
  return `whether it holds there over ℝ is open${exact?.reason ? `: ${exact.reason}` : ''}`;
}

function triedText(exact: Receipt | null): string {
  return exact && isHeld(exact) ? ` and on ${count(exact.cases, 'other input')}` : '';
}

function doubleText(receipt: Receipt): string {
  const { verdict, cases } = receipt;
  if (verdict === 'unsound') return 'some input breaks it in float64, too';
  return isHeld(receipt) ? `in float64 it held on ${count(cases, 'input')}` : 'float64 did not decide it';
}

/** Without inputs: then floats, which round and overflow, say nothing of it. */
export const isAboutNumbers = ({ goal: { domain }, subjects, exact }: AdoptedGoal): boolean =>
  exact !== null && subjects.length === 0 && domain.variables.length === 0 && domain.sizes.length === 0;

function onlyExact(exact: Receipt | null): Judged {
  if (exact && isHeld(exact)) return heldBy([exact], exact);
  return notRun(exact?.reason ?? 'the time ran out before it was evaluated');
}

function withoutCounterexample(adopted: AdoptedGoal, { exact, rounded }: FirstRound): Judged {
  const { reason, subjects } = adopted;
  const all = [...rounded, ...(exact ? [exact] : [])];
  if (reason !== null || all.length === 0) return notRun(reason ?? 'the time ran out before it was evaluated');
  const held = all.filter(isHeld);
  const vacuous = all.find(({ verdict }) => verdict === 'vacuous');
  if (held.length === 0 && vacuous) return withoutInputs(adopted, all, vacuous);
  const refuted = exact?.verdict === 'falsified';
  if (refuted && subjects.length === 0)
    return notRun(`it holds in float64, and not over ℝ, which semantics: real would mean; ${exact.reason ?? ''}`);
  if (held.length === 0 && refuted)
    return notRun(`over ℝ it is false, and float32 did not decide it: ${exact.reason ?? ''}`);
  const inPart = held.length === 0 && rounded.length === 0 ? heldWhereDecided(exact) : null;
  if (inPart) return inPart;
  if (held.length === 0) return notRun(all.flatMap((one) => one.reason ?? [])[0] ?? 'no input decided it');
  return subjects.some(({ model }) => hasOneInput(model.domain)) ? notRun(oneInputText) : heldBy(held, exact);
}

function heldBy(held: readonly Receipt[], exact: Receipt | null): Judged {
  const few = tooFew(held);
  if (few !== null) return notRun(few);
  const judged: Judged = { word: 'held', counterexample: null, reason: heldText(held, exact), mend: null };
  return exact?.verdict === 'falsified' ? { ...judged, roundedOnly: true } : judged;
}

const oneInputText = 'it holds, but the domain of its equation has only one input, which shows little of the formula';

/** That no input met a premise shows little, unless none can. */
function withoutInputs(
  { goal: { domain, predicate }, mathematics }: AdoptedGoal,
  receipts: readonly Receipt[],
  { reason, cases }: Receipt,
): Judged {
  const empty = emptyDomain(domain);
  if (empty !== null)
    return { ...notRun(empty), word: 'vacuous', mend: 'change the domain so that inputs meet it, or remove the claim' };
  const shown = receipts.find((one) => isAllTried(one.reason));
  if (shown) return { ...notRun(shown.reason ?? ''), ...vacuousWord };
  const whole = mathematics?.overReals
    ? realPredicate(mathematics, new Map(mathematics.overReals.equations.map(({ name, model }) => [name, model])))
    : predicate;
  if (isPremiseEmpty(whole, domain)) return { ...notRun('no input of the domain meets its premise'), ...vacuousWord };
  return notRun(
    cases > 0 ? `none of ${count(cases, 'input')} met its premise` : (reason ?? 'no input met its premise'),
  );
}

/** Two ways to write one formula. Inputs at which no number of digits separates their values are not counted. */
function heldWhereDecided(exact: Receipt | null): Judged | null {
  const found = exact?.verdict === 'undetermined' ? openCasesIn(exact.reason) : null;
  if (!found || found.open >= found.cases) return null;
  const decided = count(found.cases - found.open, 'input');
  const reason = `held on ${decided} over ℝ; ${found.open.toLocaleString('en-US')} more are open: ${found.why}`;
  return { word: 'held', counterexample: null, reason, mend: null };
}

const vacuousWord = {
  word: 'vacuous',
  mend: 'state a premise that inputs of the domain meet, or remove the claim',
} as const;

function needsKernel({ applications, toleranceText }: Goal): Judged {
  const equations = [...new Set(applications.map(({ equation }) => equation))];
  const reason = `it compares implementations of ${listOf(equations)} (${toleranceText}): bind a kernel, and run pv audit`;
  return { word: 'needs-kernel', counterexample: null, reason, mend: null };
}

const notRun = (reason: string): Judged => ({ word: 'not-run', counterexample: null, reason, mend: null });

/** How far the check that found the counterexample was from its tolerance. */
function worstOf({ exact, rounded }: FirstRound, counterexample: Counterexample): Receipt['worst'] {
  const found = [...rounded, ...(exact ? [exact] : [])].find((one) => one.counterexample === counterexample);
  return found?.worst ?? null;
}
