/**
 * Runs recorded by python/pv_health.py and judged by pv: plain PyTorch, and stand-ins that call its callbacks as Hugging Face's and
 * Lightning's Trainers do. Holds python/pv_health.py. Skipped where no Python has torch.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/api/exit-code.ts';
import { createNodeHost } from '../../src/host/node-host.ts';
import { repositoryRoot } from '../support/built.ts';
import { runPv } from '../support/memory-cli.ts';
import { absentTorch, python } from '../support/python-torch.ts';

const recorder = join(repositoryRoot, 'python');
const folder = mkdtempSync(join(tmpdir(), 'pv-health-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const contract = join(repositoryRoot, 'contracts/training-health-v1.yaml');
const verdicts = async (name: string): Promise<readonly [number, readonly string[]]> => {
  const { code, stdout } = await runPv(['check', contract, '--data', `${name}.jsonl`], {
    host: createNodeHost(folder),
  });
  return [code, [...stdout.matchAll(/^ {2}✗ (HEALTH-\d+)/gm)].map(([, id]) => id ?? '')];
};

it('the recorder has at most 100 lines, and imports nothing that is not there', () => {
  const text = readFileSync(join(recorder, 'pv_health.py'), 'utf8');
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(100);
  const imports = [...text.matchAll(/^(?:import|from) (.*)$/gm)].map(([, what]) => what);
  expect(imports).toEqual(['json, re']);
});

describe.skipIf(absentTorch)('a run with adapters', { timeout: 120_000 }, () => {
  beforeAll(() => {
    const ran = spawnSync(python ?? 'python3', [join(repositoryRoot, 'test/e2e/pytorch/health.py'), recorder, folder], {
      encoding: 'utf8',
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    });
    if (ran.status !== 0) throw new Error(ran.stderr);
  });

  it.each([['right'], ['hugging-face'], ['lightning']])('is right: %s', async (name) => {
    expect(await verdicts(name)).toEqual([exitCodes.ok, []]);
  });

  it.each([
    ['cut', ['HEALTH-001']],
    ['frozen', ['HEALTH-002']],
    ['masked', ['HEALTH-003']],
    ['truncated', ['HEALTH-004']],
    ['hugging-face-cut', ['HEALTH-001']],
    ['lightning-cut', ['HEALTH-001']],
  ])('is wrong: %s', async (name, ids) => {
    const [code, found] = await verdicts(name);
    expect([code, found.toSorted()]).toEqual([exitCodes.findings, ids.toSorted()]);
  });

  it.each(['right', 'hugging-face', 'lightning'])('has a line per logged step: %s', (name) => {
    const rows = readFileSync(join(folder, `${name}.jsonl`), 'utf8')
      .trimEnd()
      .split('\n');
    const [first = '', ...more] = name === 'hugging-face' ? ['{"step": 1}', ...rows] : rows;
    expect(first).toMatch(/^\{"step": 1\b/);
    expect(more.map((row) => /"step": (\d+)/.exec(row)?.[1])).toEqual(['10', '20', '30', '40', '50', '60']);
    expect(more.at(-1)).toContain('"adapters": 4, "trainable_adapters": 4, "silent_adapters": 0, "label_share": 0.625');
  });
});
