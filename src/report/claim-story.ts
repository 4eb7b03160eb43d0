import { inputLines, shortened } from './facts.ts';
import type { ClaimReport } from './report.ts';

/** Longer values are cut: the JSON report and the stored failing case have them whole. */
const longestValue = 400;
const longestLine = 2000;

/** What there is to say about a claim that is not green, a line each: the claim, what was found, how to repeat it. */
export function claimStory(claim: ClaimReport): readonly string[] {
  const { counterexample } = claim;
  return [
    claim.formal === null
      ? null
      : `claimed: ${claim.formal}${claim.tolerance === null ? '' : ` (tolerance ${claim.tolerance})`}`,
    counterexample === null ? claim.reason : `found: ${counterexample.explanation}`,
    ...(counterexample === null ? [] : inputLines(counterexample.input, longestValue).map((line) => `at ${line}`)),
    ...outputLines(counterexample?.outputs ?? []),
    claim.verdict !== 'falsified' || claim.ifFails === null ? null : `likely: ${claim.ifFails}`,
    claim.reproduce === null ? null : `reproduce: ${claim.reproduce}`,
  ].flatMap((line) => (line === null ? [] : [shortened(line, longestLine)]));
}

/** A claim such as `f(a·x) ≈ a·f(x)` runs the kernel more than once. */
function outputLines(outputs: readonly string[]): readonly string[] {
  if (outputs.length < 2) return outputs.map((output) => `the kernel gave ${output}`);
  return outputs.map((output, i) => `the kernel gave ${output} in run ${i + 1} of ${outputs.length}`);
}
