/**
 * How many digits were compared of numbers that a claim treats as equal. If a term is too small for the computed digits, like
 * the 1 in log(1 + exp(2000)), agreement shows nothing; then more digits are computed, as far as that is affordable.
 */
import type { Answer, Holds } from './decide.ts';

/** decimal.js computes logarithms to at most 1,025 digits. */
const MOST_DIGITS = 1000;
/** How many cases are evaluated again in that many digits although the claim held for them: each may take seconds. */
const mostLookedAtAgain = 4;

/**
 * The next number of digits to try, among those that are affordable and more than `looked`: first where terms show, then where
 * their products do.
 */
function affordable({ hiddenUntil, productsUntil }: Holds, looked: number): number | null {
  const next = [hiddenUntil, productsUntil].find((until) => until > looked && until <= MOST_DIGITS);
  return next ?? null;
}

/** Tracks the digits in which numbers were treated as equal. */
export interface Agreement {
  /** The answer for a case, with more digits if necessary; `again` decides the case with those. */
  readonly settled: (answer: Answer, again: (digits: number) => Answer) => Answer;
  /** The least digits in which numbers were treated as equal; null if none had to be. */
  readonly equalTo: () => number | null;
  /** Why equal digits do not show that the claim holds; null if they do. */
  readonly open: () => string | null;
}

/**
 * A case in which a term remains too small is covered by cases in which all terms show: an identity of smooth functions that
 * holds for some numbers holds for all. So these must have taken all the branches that it takes.
 */
export function createAgreement(): Agreement {
  const shown = new Set<string>();
  const hidden = new Map<string, Holds>();
  let isTelling = false;
  let lookedAtAgain = 0;
  let isBroken = false;
  let equalTo: number | null = null;

  const note = (held: Holds): Holds => {
    if (held.equalTo !== null) equalTo = Math.min(equalTo ?? Infinity, held.equalTo);
    if (held.hiddenUntil > 0) {
      const key = [...held.branches].toSorted().join();
      if (!hidden.has(key)) hidden.set(key, held);
    } else if (held.isTelling) {
      isTelling = true;
      for (const branch of held.branches) shown.add(branch);
    }
    return held;
  };
  const isCovered = ({ branches }: Holds): boolean => isTelling && [...branches].every((branch) => shown.has(branch));

  return {
    settled: (answer, again) => {
      let held = answer;
      let looked = 0;
      while (held.kind === 'holds') {
        const until = affordable(held, looked);
        // Shrinking evaluates the cases that more digits broke, and their neighbours.
        if (until === null || !(isBroken || lookedAtAgain < mostLookedAtAgain)) break;
        // Only a few different numbers of digits, so that computed constants are reused.
        looked = 100 * Math.ceil(until / 100);
        const found = again(looked);
        if (found.kind === 'open') break;
        held = found;
      }
      if (looked > 0 && held.kind === 'holds') lookedAtAgain++;
      if (held.kind === 'fails' && looked > 0) isBroken = true;
      return held.kind === 'holds' ? note(held) : held;
    },
    equalTo: () => equalTo,
    open: () => {
      const [first] = [...hidden.values()].filter((held) => !isCovered(held));
      if (!first) return null;
      const digits = Number.isFinite(first.hiddenUntil)
        ? `would show in ${Math.ceil(first.hiddenUntil).toLocaleString('en-US')} digits, and ${MOST_DIGITS.toLocaleString('en-US')} are computed at most`
        : 'is smaller than every decimal number';
      return `the sides are equal to ${first.equalTo ?? 0} digits, but a term of them ${digits}: bound the inputs so that it shows, or compare with a tolerance (≈)`;
    },
  };
}
