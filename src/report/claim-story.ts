import type { Counterexample } from '../evidence/receipt.ts';
import { breaksItself, inputLines, meetsLines, shortened } from './facts.ts';
import { ownAdvice } from './own-advice.ts';
import type { ClaimReport } from './report.ts';

/** Longer values are shortened: the JSON report and the stored failing case have them in full. */
const longestValue = 400;
const longestLine = 2000;

/** The lines about a claim that is not green: the claim, what was found, how to repeat it. */
export function claimStory(claim: ClaimReport): readonly string[] {
  const { counterexample } = claim;
  return [
    claim.verdict === 'waived' && counterexample !== null ? claim.reason : null,
    claim.formal === null
      ? null
      : `claimed: ${claim.formal}${claim.tolerance === null ? '' : ` (tolerance ${claim.tolerance})`}`,
    counterexample === null ? claim.reason : `found: ${foundText(counterexample)}`,
    ...(counterexample === null ? [] : inputLines(counterexample.input, longestValue).map((line) => `at ${line}`)),
    ...resultLines(claim),
    claim.verdict !== 'falsified' || !breaksItself(claim) ? null : 'the equation itself, in float32, breaks it too',
    breaksItself(claim) ? ownAdvice(claim) : null,
    ...meetsLines(claim),
    claim.verdict !== 'falsified' || claim.ifFails === null ? null : `likely: ${claim.ifFails}`,
    claim.reproduce === null ? null : `reproduce: ${claim.reproduce}`,
  ].flatMap((line) => (line === null ? [] : [shortened(line, longestLine)]));
}

/** The first thing to say about a claim that is not green. */
export function headline({ verdict, counterexample, reason }: ClaimReport): string | null {
  return counterexample === null || verdict === 'waived' ? reason : foundText(counterexample);
}

/** What was found, and whose fault it is: not the kernel's if the equation breaks its own claim. */
function foundText({ explanation, kernel }: Counterexample): string {
  return kernel === undefined ? explanation : `the equation itself, in float32, breaks it: ${explanation}`;
}

/** What ran at the counterexample and its outputs, one per line. */
export function resultLines({ counterexample, methods, scope }: ClaimReport): readonly string[] {
  if (counterexample === null) return [];
  const { outputs, kernel } = counterexample;
  if (kernel === undefined) return outputLines('the kernel', outputs);
  const own = methods.filter(({ method }) => method !== 'soundness');
  return [
    ...outputLines('the equation in float32', outputs),
    ...(kernel === null ? [] : outputLines('the kernel', kernel.outputs)),
    kernel !== null
      ? 'the claim holds for the kernel there: the contract is at fault'
      : own.length === 0
        ? 'no kernel was run there'
        : `of the kernel: ${own.map(({ method, verdict }) => `${method} ${verdict}`).join(', ')} (${scope})`,
  ];
}

/** A claim such as `f(a·x) ≈ a·f(x)` runs the kernel more than once. */
function outputLines(what: string, outputs: readonly string[]): readonly string[] {
  if (outputs.length < 2) return outputs.map((output) => `${what} gave ${output}`);
  return outputs.map((output, i) => `${what} gave ${output} in run ${i + 1} of ${outputs.length}`);
}
