/**
 * The catalogue of bugs: each row of docs/resume-bugs.md is a real PyTorch loop that is resumed with that bug, and names the check that
 * finds it.
 *
 * Holds python/pv_resume_probe.py, src/checkpoint/checks/accumulation-state.ts, src/checkpoint/checks/batch-size.ts,
 * src/checkpoint/checks/copies.ts, src/checkpoint/checks/data-order.ts, src/checkpoint/checks/device-count.ts,
 * src/checkpoint/checks/gradient-masking.ts, src/checkpoint/checks/live-rate.ts, src/checkpoint/checks/loss-consistency.ts,
 * src/checkpoint/checks/loss-scale.ts, src/checkpoint/checks/model-config.ts, src/checkpoint/checks/optimizer-restored.ts,
 * src/checkpoint/checks/other-state.ts, src/checkpoint/checks/position.ts, src/checkpoint/checks/probe-check.ts,
 * src/checkpoint/checks/random-state.ts, src/checkpoint/checks/rate-across-stop.ts,
 * src/checkpoint/checks/scheduler-groups.ts, src/checkpoint/checks/tokenizer.ts, src/checkpoint/checks/training-mode.ts,
 * src/checkpoint/checks/versions.ts, src/checkpoint/checks/weights-loaded.ts, src/checkpoint/across-the-stop.ts,
 * src/checkpoint/checks/optimizer-kind.ts, src/checkpoint/checks/moments-restored.ts, src/checkpoint/checks/unsaved-weights.ts,
 * src/checkpoint/probe/probe.ts, src/checkpoint/probe/read-probes.ts, src/cli/resume/read-evidence.ts,
 * src/cli/resume/read-run-log.ts.
 *
 * Skipped where no Python has torch; on Debian, `apt-get install python3-torch` brings it.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryRoot } from '../support/built.ts';
import type { Ran } from '../support/memory-cli.ts';
import { absentTorch } from '../support/python-torch.ts';
import { checkResumed, runLoop } from '../support/resume-loop.ts';

const folder = mkdtempSync(join(tmpdir(), 'pv-resume-bugs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Row {
  readonly id: string;
  readonly reproduction: string;
  readonly check: string;
}

/** The rows of all tables. */
const catalogue: readonly Row[] = readFileSync(join(repositoryRoot, 'docs/resume-bugs.md'), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const found = /^\| (?<id>[SM]?\d+) \|.*\| `(?<reproduction>[\w-]+)` \| (?<check>[\w ]+) \|$/u.exec(line)?.groups;
    return found === undefined ? [] : [{ id: '', reproduction: '', check: '', ...found }];
  });

/** `pv resume check` on the reproduction, with everything that the loop wrote. */
function check(name: string, ...more: readonly string[]): Promise<Ran> {
  const own = ['checkpoint-20', 'checkpoint-22']
    .map((one) => `${name}/${one}`)
    .find((one) => existsSync(join(folder, one)));
  const other = `${name.includes('adapter') ? 'adapter' : 'healthy'}/checkpoint-20`;
  return checkResumed(folder, own ?? other, name, ...more);
}

it('the probe is short, and needs nothing but torch', () => {
  const text = readFileSync(join(repositoryRoot, 'python/pv_resume_probe.py'), 'utf8');
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(200);
  const imports = [...text.matchAll(/^\s*(?:import|from) (.*)$/gm)].map(([, what]) => what);
  expect(imports).toEqual(['contextlib, ctypes, hashlib, json, math, os, random, sys', 'torch']);
});

it('the catalogue has the 34 public bugs and the nine of the script', () => {
  const ids = catalogue.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (let i = 1; i <= 34; i++) expect(ids).toContain(String(i));
  for (let i = 1; i <= 9; i++) expect(ids).toContain(`S${i}`);
});

describe.skipIf(absentTorch)('a PyTorch loop that resumes', { timeout: 120_000 }, () => {
  beforeAll(() => runLoop('resume.py', folder), 120_000);

  it.each(['healthy', 'adapter', 'tied', 'two-ranks'])('%s, as it should: nothing is raised', async (name) => {
    const ran = await check(name);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toMatch(/^PASSED: /u);
    expect((await check(name, '--strict')).code).toBe(0);
  });

  it.each(catalogue)('with bug $id, $reproduction: $check', async ({ reproduction, check: name }) => {
    const ran = await check(reproduction, '--json');
    const report = JSON.parse(ran.stdout) as { readonly findings: readonly Record<string, string | null>[] };
    const finding = report.findings.find((one) => one['check'] === name);
    expect(finding?.['status']).toMatch(/^(?:CRITICAL|WARN)$/u);
    expect(finding?.['why']).toMatch(/\w/u);
    expect(finding?.['fix']).toMatch(/\w/u);
    expect((await check(reproduction, '--strict')).code).toBe(1);
  });

  it('is not disturbed by bugs elsewhere: most are named by few checks', async () => {
    for (const name of [
      'set-epoch-lost',
      'evaluation-fails',
      'ids-shifted',
      'random-state-swallowed',
      'mask-not-registered',
    ]) {
      const { counts } = JSON.parse((await check(name, '--json')).stdout) as { counts: Record<string, number> };
      expect(counts).toMatchObject({ CRITICAL: 1, WARN: 0 });
    }
  });

  it('what a scheduler or an optimizer lacks is left out of the probe', () => {
    const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));
    expect(read('plateau.json')).toMatchObject({ scheduler: { learning_rates: [0], base_rates: [] } });
    expect(read('no-rate.json')).toMatchObject({ optimizer: { groups: [{ learning_rate: null }] } });
  });

  it('the callback writes both probes, and what it does not know is not checked', async () => {
    const ran = await check('callback');
    expect(ran).toMatchObject({ code: 5, stderr: '' });
    expect(ran.stdout).toMatch(/^NOT FULLY CHECKED: .* 4 not checked/u);
    expect(ran.stdout).toContain('PASS  weights loaded');
  });
});
