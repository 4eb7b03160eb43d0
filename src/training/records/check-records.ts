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

/** Whether an update changed a weight. */
export const changes = ({ updates }: RecordedStep): boolean => updates.some((update) => update !== 0);

/**
 * PV-8340 names the first weights or update that are not finite, PV-8338 the first step that contradicts the one before, PV-8339
 * a last step that contradicts the final weights.
 */
export function checkRecords({ header, steps, digest }: StepRecords, final: FinalWeights): Result<null, Problem> {
  const initial = firstNotFinite(header.norms);
  if (initial >= 0) return notFinite(0, `initial weights of ${quoted(header.parameters[initial] ?? '')}`);
  let last: { readonly norms: readonly number[] } = header;
  // The latest digest in the records, and the steps since then that changed a weight.
  let known = header.digest;
  let since: RecordedStep[] = [];
  for (const one of steps) {
    const broken = brokenNorm(one, header.parameters);
    if (broken !== null) return notFinite(one.step, broken);
    const wrongOne = header.parameters.findIndex((_, i) => !possible(last.norms[i], one.norms[i], one.updates[i]));
    if (wrongOne >= 0)
      return contradiction(
        one,
        `the norm of ${quoted(header.parameters[wrongOne] ?? '')} goes from ${last.norms[wrongOne]} to ${one.norms[wrongOne]} in an update of norm ${one.updates[wrongOne]}`,
      );
    last = one;
    if (changes(one)) since.push(one);
    const impossible = one.digest === null ? null : digestFault(known, one.digest, since);
    if (impossible !== null) return contradiction(one, impossible);
    if (one.digest !== null) [known, since] = [one.digest, []];
  }
  const [latest] = since;
  if (latest === undefined && known !== digest)
    return wrong('PV-8339', 'weights', 'The final weights are not those of the last step.', {
      position: steps.length,
      expected: known,
      actual: digest,
    });
  const impossible = digestFault(known, digest, since);
  if (latest !== undefined && impossible !== null) return contradiction(latest, impossible);
  for (const [i, array] of final.entries()) {
    const [measured, said = NaN] = [norm([array]), last.norms[i]];
    // NaN among the final weights fails, too.
    if (!(Math.abs(measured - said) <= tolerance * Math.max(measured, said)))
      return wrong(
        'PV-8339',
        'weights',
        `The norm of ${quoted(header.parameters[i] ?? '')} in the final weights is not that of the last step.`,
        { position: steps.length, expected: String(measured), actual: String(said) },
      );
  }
  return ok(null);
}

/** Why weights cannot have these two digests with these changes between them; several changes may cancel each other out. */
function digestFault(before: string, after: string, [change, ...more]: readonly RecordedStep[]): string | null {
  if (change === undefined)
    return before === after ? null : 'the update is zero, but the digest of the weights changes';
  return before === after && more.length === 0 && showsInFloat32(change)
    ? 'the update is not zero, but the digest of the weights stays the same'
    : null;
}

/** Digests are of weights in float32, where a small change of float64 weights may not show. */
const showsInFloat32 = ({ updates, norms }: RecordedStep): boolean =>
  updates.some((update, i) => update > 2 ** -23 * (norms[i] ?? NaN));

/** |‖b‖ − ‖a‖| ≤ ‖b − a‖ ≤ ‖a‖ + ‖b‖, within rounding. */
function possible(a = NaN, b = NaN, update = NaN): boolean {
  const slack = tolerance * Math.max(a, b);
  return Math.abs(b - a) <= update * (1 + tolerance) + slack && update <= (a + b) * (1 + tolerance);
}

/** The update or weights of a step whose norm is not finite; null if all are. */
function brokenNorm({ updates, norms }: RecordedStep, parameters: readonly string[]): string | null {
  const update = firstNotFinite(updates);
  if (update >= 0) return `update of ${quoted(parameters[update] ?? '')}`;
  const weights = firstNotFinite(norms);
  return weights < 0 ? null : `weights of ${quoted(parameters[weights] ?? '')}`;
}

const firstNotFinite = (values: readonly number[]): number => values.findIndex((value) => !Number.isFinite(value));

/** Such a norm could hide any change of the weights. A step that the trainer skipped has updates of zero, and finite weights. */
const notFinite = (step: number, what: string): Result<never, Problem> =>
  wrong(
    'PV-8340',
    'step records',
    `${step === 0 ? 'The run began' : `Step ${step} left the run`} with a norm that is NaN or infinite: that of the ${what}. There is no certificate for such a run: ${step === 0 ? 'start from finite weights' : 'make the trainer skip such steps'}.`,
    { position: step },
  );

const contradiction = ({ step }: RecordedStep, why: string): Result<never, Problem> =>
  wrong('PV-8338', 'step records', `Step ${step} contradicts the records before it: ${why}.`, { position: step });
