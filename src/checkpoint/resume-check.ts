/** Whether training can be resumed from a checkpoint: all checks, and a verdict. */
import { ok, type Result } from '../base/result.ts';
import type { Problem } from '../base/problem.ts';
import type { Checkpoint, Setting } from './checkpoint.ts';
import type { Check, CheckStatus, Finding } from './checks/check.ts';
import { checksums } from './checks/checksums.ts';
import { configuration } from './checks/configuration.ts';
import { finiteTensors } from './checks/finite-tensors.ts';
import { learningRate } from './checks/learning-rate.ts';
import { matchedSet } from './checks/matched-set.ts';
import { optimizerAlignment } from './checks/optimizer-alignment.ts';
import { requiredFiles } from './checks/required-files.ts';

/** In the order of the report. */
const checks: readonly Check[] = [
  requiredFiles,
  checksums,
  matchedSet,
  learningRate,
  optimizerAlignment,
  finiteTensors,
];

/** What can go wrong on a resume and no check here sees. */
const never: readonly string[] = [
  'loss before and after the stop',
  'gradient masking',
  'partial gradients of an accumulation',
  'library versions',
  'device count',
  'vocabulary and tokenizer',
  'data order',
];

/** What was found, and how much of it was checked. */
export interface ResumeReport {
  readonly findings: readonly Finding[];
  readonly counts: Readonly<Record<CheckStatus, number>>;
  /** What no check looked at. */
  readonly notCovered: readonly string[];
  /** `failed`: a critical finding. `incomplete`: nothing critical, but not everything could be checked. */
  readonly verdict: 'passed' | 'warnings' | 'incomplete' | 'failed';
}

/** Runs every check. `config` has the settings of the run that is to resume; without them, they are not compared. */
export async function checkResume(
  checkpoint: Checkpoint,
  config: ReadonlyMap<string, Setting> | null = null,
): Promise<Result<ResumeReport, Problem>> {
  const findings: Finding[] = [];
  for (const check of config === null ? checks : [...checks, configuration(config)]) {
    const finding = await check(checkpoint);
    if (!finding.ok) return finding;
    findings.push(finding.value);
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
  const notCovered = config === null ? ['the configuration of the resumed run (--config)', ...never] : never;
  return ok({ findings, counts, verdict, notCovered });
}
