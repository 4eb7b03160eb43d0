/**
 * Checks that records are consistent: with themselves, and with the final weights. Consistent lies pass, which is why the
 * certificate calls these numbers reported.
 */
import { ok, type Result } from '../../base/result.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { quoted } from '../../base/text.ts';
import { norm } from '../norm.ts';
import type { FinalWeights } from './final-weights.ts';
import type { RecordedStep, StepRecords } from './read-records.ts';

/** Trainers sum norms in other orders, and some devices only in float32. */
const tolerance = 1e-5;

/** Whether an update changed a weight, or made it NaN. */
export const changes = ({ updates }: RecordedStep): boolean => updates.some((update) => update !== 0);

/** PV-8338 names the first step that contradicts the one before; PV-8339 a last step that contradicts the final weights. */
export function checkRecords({ header, steps, digest }: StepRecords, final: FinalWeights): Result<null, Problem> {
  let before: { readonly norms: readonly number[]; readonly digest: string | null } = header;
  for (const one of steps) {
    const wrongOne = header.parameters.findIndex((_, i) => !possible(before.norms[i], one.norms[i], one.updates[i]));
    if (wrongOne >= 0)
      return contradiction(
        one,
        `the norm of ${quoted(header.parameters[wrongOne] ?? '')} goes from ${before.norms[wrongOne]} to ${one.norms[wrongOne]} in an update of norm ${one.updates[wrongOne]}`,
      );
    // Without a digest here, the weights still have the digest of the step before.
    const kept: string | null = changes(one) ? null : before.digest;
    if (kept !== null && one.digest !== null && one.digest !== kept)
      return contradiction(one, 'the update is zero, but the digest of the weights changes');
    before = { norms: one.norms, digest: one.digest ?? kept };
  }
  if (before.digest !== null && before.digest !== digest)
    return wrong('PV-8339', 'weights', 'The final weights are not those of the last step.', {
      position: steps.length,
      expected: before.digest,
      actual: digest,
    });
  for (const [i, array] of final.entries()) {
    const [measured, said = NaN] = [norm([array]), before.norms[i]];
    if (Math.abs(measured - said) > tolerance * Math.max(measured, said))
      return wrong(
        'PV-8339',
        'weights',
        `The norm of ${quoted(header.parameters[i] ?? '')} in the final weights is not that of the last step.`,
        { position: steps.length, expected: String(measured), actual: String(said) },
      );
  }
  return ok(null);
}

/** |‖b‖ − ‖a‖| ≤ ‖b − a‖ ≤ ‖a‖ + ‖b‖, within rounding. NaN and infinities are judged later. */
function possible(a = NaN, b = NaN, update = NaN): boolean {
  const slack = tolerance * Math.max(a, b);
  return !(Math.abs(b - a) > update * (1 + tolerance) + slack || update > (a + b) * (1 + tolerance));
}

const contradiction = ({ step }: RecordedStep, why: string): Result<never, Problem> =>
  wrong('PV-8338', 'step records', `Step ${step} contradicts the records before it: ${why}.`, { position: step });
