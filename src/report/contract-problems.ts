import { listOf } from '../base/text.ts';
import type { MutantOutcome } from '../evidence/receipt.ts';
import { isGreen } from '../evidence/verdict.ts';
import { breaksItself, inputLines, killsText, shortened, uncomparedText } from './facts.ts';
import { ownAdvice } from './own-advice.ts';
import type { ContractReport } from './report.ts';

/** A fault of a contract as a whole, independent of its claims. */
export interface ContractProblem {
  readonly kind: 'empty' | 'unsound' | 'survivors' | 'composition';
  readonly message: string;
  readonly details: readonly string[];
  /** How to fix it; null if the message says it. */
  readonly advice: string | null;
}

/** What to do about wrong kernels that satisfy every claim. */
const survivorAdvice =
  'add a claim that fails where a wrong kernel differs; where its outputs can never differ, declare it in ' +
  'qa_gate.equivalent_mutants with a reason';

const dataAdvice =
  'add a falsification test whose data the obligation and its edit judge differently, such as values on the boundary';

/** {@link survivorAdvice}, or what distinguishes edits of obligations about data: there are no kernels there. */
export function adviceOnSurvivors({ about }: Pick<ContractReport, 'about'>): string {
  return about === 'data' ? dataAdvice : survivorAdvice;
}

/** A problem whose message says everything. */
function plain(kind: ContractProblem['kind'], message: string): ContractProblem {
  return { kind, message, details: [], advice: null };
}

/** Such a claim falsifies correct kernels as well: what must be fixed is the claim, and often its tolerance. */
function unsound({ claims }: ContractReport): ContractProblem {
  const broken = claims.filter(breaksItself);
  const what = broken.length === 0 ? 'every claim' : listOf(broken.map(({ id }) => id));
  // Where it is known which of the two it is, the claim says how to fix it.
  const isKnown = broken.length > 0 && broken.every((claim) => ownAdvice(claim) !== null);
  return {
    kind: 'unsound',
    message: `the equation itself, in float32, does not satisfy ${what}`,
    details: [],
    advice: isKnown ? null : unsoundAdvice,
  };
}

const unsoundAdvice =
  'correct the claim or the formula if it is false over ℝ, too (pv adopt says so); otherwise ask no more than float32 can give: widen the tolerance (cond follows cancellation, abs covers results near zero), ' +
  'narrow the domain, or write the formula so that it does not overflow (exp(x_i - max(x)) for exp(x_i))';

/** Why a contract cannot be trusted, besides its claims' verdicts. */
export function contractProblems(contract: ContractReport): readonly ContractProblem[] {
  const { adequacy, declared, reason, sound, verdict } = contract;
  // Mutants of a wrong kernel show nothing about the contract and would bury the failure.
  const survived = adequacy !== null && adequacy.killed < adequacy.total && verdict !== 'falsified';
  return [
    ...(declared === 0 ? [plain('empty', 'the contract declares no claim')] : []),
    ...(sound === false ? [unsound(contract)] : []),
    ...(survived
      ? [
          {
            kind: 'survivors',
            message: [`only ${killsText(adequacy)}`, ...uncomparedText(adequacy.uncompared)].join(', and '),
            details: adequacy.survivors.map(survivorText),
            advice: adviceOnSurvivors(contract),
          } as const,
        ]
      : []),
    ...(reason === null || isGreen(verdict) ? [] : [plain('composition', reason)]),
  ];
}

/** Longer separating inputs are shortened; the JSON report has them in full. */
const longestValue = 120;

/** A problem's details and how to fix it, one per line. */
export function problemStory({ details, advice }: ContractProblem): readonly string[] {
  return [...details, ...(advice === null ? [] : [advice])];
}

/** `kernel:3:20 i < n → i < n - 1 survives (at n = 1, x = [2] it gives [0], and [1] is right)`: the right value is that of the equation. */
export function survivorText({ mutant, separatingInput, separatingOutputs }: MutantOutcome): string {
  if (separatingInput === null) return `${mutant} survives (no input was found where it is wrong)`;
  const at = inputLines(separatingInput, longestValue).join(', ');
  if (separatingOutputs === null) return `${mutant} survives (it differs at ${at})`;
  const { wrong, right, kernel } = separatingOutputs;
  const others = [
    ...(right === null ? [] : [`${shortened(right, longestValue)} is right`]),
    ...(kernel === undefined ? [] : [`the bound kernel gives ${shortened(kernel, longestValue)}`]),
  ];
  return `${mutant} survives (at ${at} it gives ${shortened(wrong, longestValue)}, and ${others.join(', and ')})`;
}
