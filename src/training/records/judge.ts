/** Judges the recorded steps of another trainer by the invariants of an import. */
import { present } from '../../base/invariant.ts';
import { ok, type Result } from '../../base/result.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import type { RecordedNorms } from '../invariants/invariant.ts';
import type { StepRecord } from '../ledger/step-record.ts';
import { norm } from '../norm.ts';
import { layersByPrefix } from '../parameters.ts';
import { notFinite, notFiniteValue } from '../trainer/finite.ts';
import type { createGate } from '../trainer/gate.ts';
import { changes } from './check-records.ts';
import type { FinalWeights } from './final-weights.ts';
import type { RecordedStep, StepRecords } from './read-records.ts';

interface JudgeOptions {
  readonly records: StepRecords;
  readonly final: FinalWeights;
  readonly gate: ReturnType<typeof createGate>;
  readonly warmupSteps: number;
}

/** Judges one step after another; PV-8340 for a step that changed the weights although a number was NaN or infinite. */
export function createJudge({ records, final, gate, warmupSteps }: JudgeOptions) {
  const { header, steps, digest } = records;
  const layers = layersByPrefix(header.parameters.map((name) => ({ name })));
  const lastChange = steps.findLastIndex(changes);
  let [norms, weights]: [readonly number[], string | null] = [header.norms, header.digest];

  /** The norms of the layers: measured by pv once the weights are the final ones, and until then as recorded. */
  const layerNorms = (step: RecordedStep): RecordedNorms['layers'] =>
    layers.map(({ name, members }) => ({
      name,
      norm:
        step.step > lastChange
          ? norm(members.map((i) => present(final[i], 'a parameter has its array')))
          : together(members.map((i) => step.norms[i] ?? NaN)),
    }));

  return (step: RecordedStep): Result<StepRecord, Problem> => {
    const { step: number, loss, rate } = step;
    const taken = { step: number, loss, rate, gradientNorm: together(step.gradients) };
    const proposed = layerNorms(step);
    const nonFinite = [
      ...notFinite(taken),
      ...proposed.flatMap(({ name, norm: size }) => (Number.isFinite(size) ? [] : [notFiniteValue(name, size)])),
    ];
    const changed = changes(step);
    if (changed && nonFinite.length > 0)
      return wrong(
        'PV-8340',
        'step records',
        `Step ${number} changed the weights although its ${nonFinite.map(({ what }) => what).join(', ')} is NaN or infinite. There is no certificate for such a run: make the trainer skip such steps.`,
        { position: number },
      );
    const checks = gate.open(number);
    if (nonFinite.length === 0) checks.recorded({ ...taken, weightNorm: together(norms), layers: proposed });
    const failed = checks.failed() || nonFinite.length > 0;
    const tolerated = failed && changed && number <= warmupSteps;
    const refused = failed && !changed;
    checks.close(failed && changed);
    if (!refused) gate.committed(step);
    const before = weights;
    if (changed) weights = number > lastChange ? digest : step.digest;
    norms = step.norms;
    return ok({
      step: number,
      verdict: refused ? 'refused' : failed && !tolerated ? 'overridden' : 'committed',
      warmup: tolerated,
      loss,
      rate,
      before,
      after: weights,
      measured: [...nonFinite, ...checks.measured],
    });
  };
}

/** The norm of several arrays from the norm of each. */
const together = (norms: readonly number[]): number => Math.sqrt(norms.reduce((sum, value) => sum + value * value, 0));
