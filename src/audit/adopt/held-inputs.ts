/** Whether receipts show that a claim held, and on how many inputs. */
import { count, listOf } from '../../base/text.ts';
import type { Receipt } from '../../evidence/receipt.ts';
import { leftOut } from '../../methods/runs/tally.ts';

/** Whether it held, on enough of the drawn inputs if some broke a precondition. */
export const isHeld = (receipt: Receipt): boolean =>
  receipt.verdict === 'tested' || receipt.verdict === 'proved' || isHeldWhereMet(receipt);

/** A tenth of the inputs that are drawn: enough that meet preconditions such as `heads mod groups = 0`. */
const leastShare = 0.1;

const isHeldWhereMet = ({ verdict, reason, cases, filtered, premiseHits }: Receipt): boolean =>
  verdict === 'incomplete' &&
  (reason?.includes('broke a precondition') === true || reason?.includes(leftOut) === true) &&
  cases >= leastShare * (cases + filtered) &&
  premiseHits > 0;

/** On how many inputs it held, over ℝ and in float arithmetic, and how many met its premise. */
export function heldText(held: readonly Receipt[], exact: Receipt | null): string {
  const inFloats = tallyOf(held.filter(({ method }) => method !== 'reals'));
  const overReals = tallyOf(exact && isHeld(exact) ? [exact] : []);
  const met = [overReals, inFloats].filter(({ cases }) => cases > 0);
  const isPart = met.some(({ hits, cases }) => hits < cases);
  const parts = [
    ...(overReals.cases > 0 ? [`${count(overReals.hits, 'input')} over ℝ`] : []),
    ...(inFloats.cases > 0 ? [`${count(inFloats.hits, 'input')} in float arithmetic`] : []),
  ];
  const tried = listOf(met.map(({ cases }) => cases.toLocaleString('en-US')));
  const share = isPart ? ` that meet its premise (of ${tried} tried)` : '';
  const about =
    exact?.verdict === 'falsified' ? `; it is about rounded numbers: ${exact.reason ?? 'over ℝ it is false'}` : '';
  const partial = held.find(isHeldWhereMet)?.reason ?? null;
  const filtered = partial === null ? '' : ', which are those of the drawn ones that meet the preconditions';
  const left = partial?.includes(leftOut) === true ? `; ${partial}` : filtered;
  return `held on ${parts.join(' and ')}${share}${left}${about}`;
}

interface Hits {
  readonly hits: number;
  readonly cases: number;
}

/** Inputs that met the premise, of those that ran. Large ones are not told apart. */
function tallyOf(receipts: readonly Receipt[]): Hits {
  const large = receipts.flatMap((one) => one.large ?? []).reduce((n, run) => n + run.cases, 0);
  const sum = (of: (one: Receipt) => number): number => receipts.reduce((n, one) => n + of(one), 0);
  return { hits: sum(({ premiseHits }) => premiseHits) + large, cases: sum(({ cases }) => cases) + large };
}

/** So few inputs that meet a premise, of so many, show nothing of the claim. */
const [fewHits, manyCases] = [5, 100];

/** Why a claim that no input broke is not said to hold; null if enough inputs met its premise. */
export function tooFew(held: readonly Receipt[]): string | null {
  const [most = { hits: 0, cases: 0 }] = held.map((one) => tallyOf([one])).toSorted((a, b) => b.hits - a.hits);
  return most.hits < fewHits && most.cases >= manyCases
    ? `only ${most.hits} of ${count(most.cases, 'input')} met its premise`
    : null;
}
