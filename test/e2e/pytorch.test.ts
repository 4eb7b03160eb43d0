/**
 * Real PyTorch loops, recorded by python/pv_training.py and certified by pv. Holds python/pv_training.py, src/cli/train/run-import.ts.
 * Skipped where no Python has torch; on Debian, `apt-get install python3-torch` brings it.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNodeHost } from '../../src/host/node-host.ts';
import { repositoryRoot } from '../support/built.ts';
import { runPv } from '../support/memory-cli.ts';
import { absentTorch, python } from '../support/python-torch.ts';

const recorder = join(repositoryRoot, 'python');
const folder = mkdtempSync(join(tmpdir(), 'pv-pytorch-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pv = (...argv: readonly string[]) => runPv(argv, { host: createNodeHost(folder) });
const importOf = (name: string) =>
  pv('certificate', 'import', name, '--invariants', 'invariants.yaml', '--out', `${name}-run`);

it('the recorder is short, and needs nothing but torch', () => {
  const text = readFileSync(join(recorder, 'pv_training.py'), 'utf8');
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  const imports = [...text.matchAll(/^\s*(?:import|from) (.*)$/gm)].map(([, what]) => what);
  expect(imports).toEqual(['ctypes, hashlib, json, math, os', 'torch']);
});

describe.skipIf(absentTorch)('a PyTorch loop', { timeout: 120_000 }, () => {
  beforeAll(() => {
    writeFileSync(
      join(folder, 'invariants.yaml'),
      'format: pv-training-invariants/1\ninvariants:\n' +
        '  - LossStabilityBound: { spike_cap: 0.5, window: 20, max_gradient_norm: 50, max_step_size: 1 }\n' +
        '  - WeightNormBound: { max_norm: 100 }\n',
    );
    const ran = spawnSync(python ?? 'python3', [join(repositoryRoot, 'test/e2e/pytorch/loops.py'), recorder, folder], {
      encoding: 'utf8',
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    });
    if (ran.status !== 0) throw new Error(ran.stderr);
  });

  it.each([
    ['sgd', '40 steps: 40 committed, 0 refused'],
    ['adamw', '25 steps: 25 committed, 0 refused'],
    ['bfloat16', '12 steps: 12 committed, 0 refused'],
    ['float64', '12 steps: 12 committed, 0 refused'],
    ['callback', '20 steps: 20 committed, 0 refused'],
    ['spike', /30 steps: \d+ committed, 0 refused, [1-9]\d* overridden/],
    ['skipped', /20 steps: \d+ committed, [1-9]\d* refused/],
  ])('%s is certified, and its certificate verifies', async (name, steps) => {
    const imported = await importOf(name);
    expect(imported.stderr).toBe('');
    expect(imported.stdout).toMatch(steps);
    const verdict = await pv('certificate', 'verify', `${name}-run`);
    expect(verdict.stderr).toBe('');
    expect(verdict.stdout).toMatch(
      /^VERIFIED \(ledger\): .*no step was replayed, and its numbers may be invented(; \d+ of the \d+ steps that changed the weights broke an invariant)?\n/,
    );
    expect(verdict.stdout).toMatch(steps);
    expect(verdict.stdout).toContain('; code PyTorch ');
  });

  it('names the spike', async () => {
    const shown = await pv('train', 'show', 'spike-run');
    expect(shown.stdout).toMatch(/step 12 overridden: gradient norm is .*, must be at most 50/);
  });

  it('has no certificate with the weights of another run, or after a byte was changed', async () => {
    writeFileSync(join(folder, 'sgd/weights.safetensors'), readFileSync(join(folder, 'spike/weights.safetensors')));
    const other = await pv('certificate', 'import', 'sgd', '--invariants', 'invariants.yaml', '--out', 'other');
    expect(other).toMatchObject({ code: 1, stdout: '' });
    expect(other.stderr).toContain('error[PV-8339]: sgd: ');
    expect((await pv('certificate', 'verify', 'other')).code).toBe(2);
  });
});
