/**
 * The training loop of the examples with each of its bugs, diagnosed with the contracts that pv ships.
 *
 * Holds src/data/report/diagnosis-report.ts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BugName } from '../../../examples/training-loop/config.ts';
import { openKernels } from '../../../examples/training-loop/kernels.ts';
import { train } from '../../../examples/training-loop/train.ts';
import { exitCodes } from '../../../src/api/exit-code.ts';
import { nameOf, type Diagnosis } from '../../../src/data/diagnose/diagnosis.ts';
import { repositoryRoot } from '../../support/built.ts';
import { runPv } from '../../support/memory-cli.ts';

const kernels = await openKernels(repositoryRoot);
const folder = join(repositoryRoot, 'contracts');
/** Only those over data are read here: the others would be elaborated in vain. */
const contracts = Object.fromEntries(
  readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => [`contracts/${name}`, readFileSync(join(folder, name), 'utf8')] as const)
    .filter(([, text]) => /^data:/m.test(text)),
);

async function diagnosisOf(bug: BugName | null): Promise<{ readonly code: number; readonly found: Diagnosis }> {
  const run = Object.entries(train(kernels, { bug, steps: 20 })).map(([name, text]) => [`run/${name}`, text] as const);
  const files = { ...contracts, ...Object.fromEntries(run) };
  const ran = await runPv(['diagnose', 'run', '--format', 'json'], { files });
  expect(ran.stderr).not.toContain('error');
  return { code: ran.code, found: JSON.parse(ran.stdout) };
}

describe('the training loop', () => {
  it('has no finding when it is healthy, per kernel, block, transfer and over the loop', async () => {
    const { code, found } = await diagnosisOf(null);
    expect(found.chains).toEqual([]);
    expect(found.problems).toEqual([]);
    expect(found.bricks.filter(({ evaluated }) => evaluated === 0)).toEqual([]);
    expect(code).toBe(exitCodes.ok);
  });

  it.each<readonly [BugName, string, string]>([
    ['alb-043', 'buffer-size-v1/BUF-004', 'kernel'],
    ['alb-041', 'buffer-size-v1/BUF-008', 'transfer'],
    ['transpose', 'buffer-size-v1/BUF-007', 'kernel'],
    ['short-sequence', 'buffer-size-v1/BUF-008', 'transfer'],
    ['alb-044-clip', 'brick-tables-v1/BRICK-003', 'block'],
    ['alb-044-beta2', 'hyperparameter-propagation-v1/HYPER-003', 'block'],
    ['alb-059-gemm', 'brick-tables-v1/BRICK-002', 'kernel'],
    ['alb-059-init', 'optimizer-state-init-v1/INIT-002', 'block'],
    ['alb-060', 'training-config-kernel-v1/CFG-002', 'loop'],
    ['alb-065', 'training-gpu-kernel-v1/GPU-006', 'transfer'],
  ])('with %s is led back to %s', async (bug, root, granularity) => {
    const { code, found } = await diagnosisOf(bug);
    expect(code).toBe(exitCodes.findings);
    const chain = found.chains.find(({ whys }) => nameOf(whys.at(-1) ?? whys[0]) === root);
    expect(chain?.end.kind).toBe('root');
    expect(chain?.whys.at(-1)?.brick.granularity).toBe(granularity);
    // Every violation is explained: none ends in a gap or with a cause that nobody evaluated.
    expect(found.chains.map(({ end }) => end.kind).filter((kind) => kind !== 'root')).toEqual([]);
  });
});
