/** Whether training can be resumed from a checkpoint: all checks, and a verdict. */
import { ok, type Result } from '../base/result.ts';
import type { Problem } from '../base/problem.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { Check, CheckStatus, Finding } from './checks/check.ts';
import { finiteTensors } from './checks/finite-tensors.ts';
import { learningRate } from './checks/learning-rate.ts';
import { matchedSet } from './checks/matched-set.ts';
import { optimizerAlignment } from './checks/optimizer-alignment.ts';
import { requiredFiles } from './checks/required-files.ts';

/** In the order of the report. */
const checks: readonly Check[] = [requiredFiles, matchedSet, learningRate, optimizerAlignment, finiteTensors];

/** What can go wrong on a resume and no check here sees. */
export const notYetChecked: readonly string[] = [
  'loss before and after the stop',
  'gradient masking',
  'partial gradients of an accumulation',
  'batch size',
  'library versions',
  'device count',
  'vocabulary and tokenizer',
  'data order',
];

/** What was found, and how much of it was checked. */
export interface ResumeReport {
  readonly findings: readonly Finding[];
  readonly counts: Readonly<Record<CheckStatus, number>>;
  /** `failed`: a critical finding. `incomplete`: nothing critical, but not everything could be checked. */
  readonly verdict: 'passed' | 'warnings' | 'incomplete' | 'failed';
}

/** Runs every check. */
export async function checkResume(checkpoint: Checkpoint): Promise<Result<ResumeReport, Problem>> {
  const findings: Finding[] = [];
  for (const check of checks) {
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
  return ok({ findings, counts, verdict });
}
