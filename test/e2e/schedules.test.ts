/**
 * PyTorch's own schedulers: pv computes their rates from their state, so that a resume with other rates is found without settings.
 * Holds src/checkpoint/torch/schedules.ts, src/checkpoint/checks/own-learning-rate.ts.
 *
 * Skipped where no Python has torch; on Debian, `apt-get install python3-torch` brings it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createNodeHost } from '../../src/host/node-host.ts';
import { runPv } from '../support/memory-cli.ts';
import { absentTorch } from '../support/python-torch.ts';
import { runLoop } from '../support/resume-loop.ts';

const folder = mkdtempSync(join(tmpdir(), 'pv-schedules-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function check(checkpoint: string, log?: string): Promise<string> {
  const given = log === undefined ? [] : ['--log', `${log}.jsonl`];
  const ran = await runPv(['resume', 'check', `${checkpoint}.pt`, ...given], { host: createNodeHost(folder) });
  expect(ran.stderr).toBe('');
  return ran.stdout;
}

const kinds = ['constant', 'linear', 'polynomial', 'exponential', 'step', 'multistep', 'cosine', 'restarts', 'cyclic'];
const all = [...kinds, 'one-cycle', 'one-cycle-linear', 'warm-up'];

describe.skipIf(absentTorch)('a scheduler of PyTorch', { timeout: 120_000 }, () => {
  beforeAll(() => runLoop('schedules.py', folder), 120_000);

  it.each(all.flatMap((kind) => [`${kind}-1`, `${kind}-2`]))('%s has the rates that its state gives', async (name) => {
    const report = await check(name, name);
    expect(report).toMatch(/^PASSED: /u);
    expect(report).toMatch(/PASS {2}learning rate\n(?: .*\n)* {4}why {7}\w+ after 23 steps, by its own settings/u);
    expect(report).toMatch(/PASS {2}learning rate across the stop\n.*(?:LR|Restarts)\)\n.*, and 36 more as scheduled/u);
  });

  // The rates of a constant schedule that starts afresh are those of one that goes on, until it ends.
  it.each(all)('%s that is stepped twice, or starts afresh, is another schedule', async (kind) => {
    const across = 'CRITICAL  learning rate across the stop';
    expect(await check(`${kind}-1`, `${kind}-twice`)).toContain(across);
    if (kind !== 'one-cycle') expect(await check(`${kind}-1`, `${kind}-afresh`)).toContain(across);
  });

  // Before the stop, every lag explains a constant rate.
  it.each(all.slice(1))('%s that is a step ahead is found by how the log lagged before', async (kind) => {
    const report = await check(`${kind}-1`, `${kind}-ahead`);
    expect(report).toContain('WARN  learning rate across the stop');
    expect(report).toContain('a step behind the schedule before the stop and in step with it afterwards');
  });

  it('has a rate that was set by hand: it stays, or is replaced at the next step', async () => {
    expect(await check('cosine-by-hand')).toMatch(
      /WARN {2}learning rate\n(?: .*\n)*.*200\.0 %\n.*goes on from this one/u,
    );
    expect(await check('warm-up-by-hand')).toContain('WARN  learning rate');
    expect(await check('one-cycle-by-hand')).toMatch(/CRITICAL {2}learning rate\n(?: .*\n)*.*jumps with the next/u);
  });

  it('may have taken a hundred thousand steps', async () => {
    expect(await check('long')).toContain('PASS  learning rate\n');
  });
});
