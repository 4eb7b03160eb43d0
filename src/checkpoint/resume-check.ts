/** Whether training can be resumed from a checkpoint: all checks, and a verdict. */
import { ok, type Result } from '../base/result.ts';
import type { Problem } from '../base/problem.ts';
import type { Checkpoint } from './checkpoint.ts';
import { accumulationState } from './checks/accumulation-state.ts';
import { batchSize } from './checks/batch-size.ts';
import type { Check, CheckStatus, Evidence, Finding } from './checks/check.ts';
import { checksums } from './checks/checksums.ts';
import { configuration } from './checks/configuration.ts';
import { adapters, ema, masterWeights } from './checks/copies.ts';
import { dataOrder, dataset } from './checks/data-order.ts';
import { deviceCount } from './checks/device-count.ts';
import { finiteTensors } from './checks/finite-tensors.ts';
import { gradientMasking, gradients } from './checks/gradient-masking.ts';
import { learningRate } from './checks/learning-rate.ts';
import { liveRate } from './checks/live-rate.ts';
import { lossConsistency } from './checks/loss-consistency.ts';
import { lossScale } from './checks/loss-scale.ts';
import { matchedSet } from './checks/matched-set.ts';
import { modelConfig } from './checks/model-config.ts';
import { startsWithNewVocabulary } from './checks/new-vocabulary.ts';
import { optimizerAlignment } from './checks/optimizer-alignment.ts';
import { optimizerRestored } from './checks/optimizer-restored.ts';
import { otherState } from './checks/other-state.ts';
import { livePosition, positionAlgebra } from './checks/position.ts';
import { randomState } from './checks/random-state.ts';
import { rateAcrossStop } from './checks/rate-across-stop.ts';
import { requiredFiles } from './checks/required-files.ts';
import { schedulerGroups } from './checks/scheduler-groups.ts';
import { tokenizer, vocabulary } from './checks/tokenizer.ts';
import { trainingMode } from './checks/training-mode.ts';
import { versions } from './checks/versions.ts';
import { weightsLoaded } from './checks/weights-loaded.ts';

/** What a check needs besides the checkpoint; any of them is enough. */
type Option = 'config' | 'log' | 'probe';

interface ListedCheck {
  readonly name: string;
  readonly check: Check;
  readonly needs?: readonly Option[];
  /** It compares what a run restores that continues, and not one that starts again. */
  readonly continues?: true;
}

const probe = ['probe'] as const;

/** In the order of the report. */
const checks: readonly ListedCheck[] = [
  { name: 'required files', check: requiredFiles },
  { name: 'checksums', check: checksums },
  { name: 'matched set', check: matchedSet },
  { name: 'position in the run', check: positionAlgebra },
  { name: 'learning rate', check: learningRate },
  { name: 'scheduler groups', check: schedulerGroups },
  { name: 'optimizer alignment', check: optimizerAlignment },
  { name: 'finite tensors', check: finiteTensors },
  { name: 'model configuration', check: modelConfig },
  { name: 'adapters loaded', check: adapters },
  { name: 'configuration', check: configuration, needs: ['config'] },
  { name: 'loss consistency', check: lossConsistency, needs: ['log', 'probe'], continues: true },
  { name: 'learning rate across the stop', check: rateAcrossStop, needs: ['log'], continues: true },
  { name: 'position', check: livePosition, needs: probe },
  { name: 'weights loaded', check: weightsLoaded, needs: probe },
  { name: 'training mode', check: trainingMode, needs: probe },
  { name: 'optimizer restored', check: optimizerRestored, needs: probe, continues: true },
  { name: 'learning rate in the run', check: liveRate, needs: probe, continues: true },
  { name: 'loss scale', check: lossScale, needs: probe, continues: true },
  { name: 'gradients', check: gradients, needs: probe },
  { name: 'gradient masking', check: gradientMasking, needs: probe },
  { name: 'accumulation state', check: accumulationState, needs: probe, continues: true },
  { name: 'batch size', check: batchSize, needs: probe },
  { name: 'versions', check: versions, needs: probe },
  { name: 'device count', check: deviceCount, needs: probe },
  { name: 'vocabulary', check: vocabulary, needs: probe },
  { name: 'tokenizer', check: tokenizer, needs: probe, continues: true },
  { name: 'dataset', check: dataset, needs: probe, continues: true },
  { name: 'data order', check: dataOrder, needs: probe, continues: true },
  { name: 'random state', check: randomState, needs: probe, continues: true },
  { name: 'EMA', check: ema, needs: probe, continues: true },
  { name: 'master weights', check: masterWeights, needs: probe },
  { name: 'other state', check: otherState, needs: probe, continues: true },
];

/** What was found, and how much of it was checked. */
export interface ResumeReport {
  readonly findings: readonly Finding[];
  readonly counts: Readonly<Record<CheckStatus, number>>;
  /** Checks that had nothing to look at, with the options of which one would give it. */
  readonly notCovered: readonly { readonly check: string; readonly options: readonly string[] }[];
  /** Checks of what this checkpoint and run do not have. */
  readonly notApplicable: readonly string[];
  /** `failed`: a critical finding. `incomplete`: nothing critical, but not everything could be checked. */
  readonly verdict: 'passed' | 'warnings' | 'incomplete' | 'failed';
}

/** Runs every check for which there is something to look at. */
export async function checkResume(checkpoint: Checkpoint, evidence: Evidence): Promise<Result<ResumeReport, Problem>> {
  const isGiven = (option: Option): boolean => evidence[option === 'probe' ? 'live' : option] !== null;
  const findings: Finding[] = [];
  const notCovered: { readonly check: string; readonly options: readonly string[] }[] = [];
  const notApplicable: string[] = [];
  const isAnew = startsWithNewVocabulary(evidence);
  for (const { name, check, needs, continues } of checks) {
    if (needs?.some(isGiven) === false) {
      notCovered.push({ check: name, options: needs.map((option) => `--${option}`) });
      continue;
    }
    const finding = isAnew && continues === true ? ok(null) : await check(checkpoint, evidence);
    if (!finding.ok) return finding;
    if (finding.value === null) notApplicable.push(name);
    else findings.push(finding.value);
  }
  const count = (status: CheckStatus): number => findings.filter((finding) => finding.status === status).length;
  const counts = {
    PASS: count('PASS'),
    WARN: count('WARN'),
    CRITICAL: count('CRITICAL'),
    'NOT CHECKED': count('NOT CHECKED'),
  };
  const verdict =
    counts.CRITICAL > 0 ? 'failed' : counts['NOT CHECKED'] > 0 ? 'incomplete' : counts.WARN > 0 ? 'warnings' : 'passed';
  return ok({ findings, counts, verdict, notCovered, notApplicable });
}
