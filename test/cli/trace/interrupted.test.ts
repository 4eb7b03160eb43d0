import { describe, expect, it } from 'vitest';
import { err, ok } from '../../../src/base/result.ts';
import type { Host } from '../../../src/host/host.ts';
import { runPv } from '../../support/memory-cli.ts';
import { bytesAt, modelFlags, pvTrace, tinyWorld } from './recorded.ts';

/** Records while somebody presses Ctrl-C: the clock says so late that each step is looked up after. */
async function interrupted(...more: readonly string[]) {
  const host = tinyWorld();
  const abort = new AbortController();
  let now = 0;
  let asked = 0;
  const ticking = {
    ...host,
    monotonicMs: () => {
      if (++asked === 12) abort.abort();
      return (now += 60);
    },
  };
  const argv = ['trace', 'record', ...modelFlags, '-i', 'Once upon', '-n', '200', '--out', 'run.trace', ...more];
  return { host, ran: await runPv(argv, { host: ticking, signal: abort.signal }) };
}

describe('a recording that is interrupted', () => {
  it('leaves its steps in a file that says it is incomplete, and exits with 130', async () => {
    const { host, ran } = await interrupted();
    expect(ran.code).toBe(130);
    const steps = Number(/run[.]trace holds (\d+) steps and is incomplete/.exec(ran.stderr)?.[1]);
    expect(steps).toBeGreaterThan(0);
    expect(steps).toBeLessThan(200);
    const shown = JSON.parse((await pvTrace(host, 'show', 'run.trace', '--json')).stdout);
    expect(shown).toMatchObject({ complete: false, droppedBytes: 0, size: steps + 1 });
    expect((await pvTrace(host, 'verify', 'run.trace', ...modelFlags)).code).toBe(1);
    const taken = await pvTrace(host, 'verify', 'run.trace', ...modelFlags, '--incomplete', '--require', 'logits');
    expect(taken.code).toBe(0);
    expect(taken.stdout).toContain(`${steps} of ${steps} steps compared`);
  });

  it('leaves no file in the format of llama2-rs, which has no word for it', async () => {
    const { host, ran } = await interrupted('--format', 'legacy');
    expect(ran.code).toBe(130);
    expect(ran.stderr).toContain('run.trace was not written');
    expect(host.files.has('/project/run.trace')).toBe(false);
  });
});

describe('a recording that cannot go on', () => {
  it('reports a full disk, and exits with 1', async () => {
    const host = tinyWorld();
    const full = { kind: 'no-space', path: 'run.trace', message: 'no space left on the device' } as const;
    const argv = ['trace', 'record', ...modelFlags, '-n', '5', '--out', 'run.trace'];
    const unwritable: Host = { ...host, createFile: async () => err(full) };
    const ran = await runPv(argv, { host: unwritable });
    expect(ran).toMatchObject({ code: 1, stdout: '' });
    expect(ran.stderr).toContain("error[PV-8047]: 'run.trace' cannot be written: no space left on the device");
    let left = 3;
    const filling: Host = {
      ...host,
      createFile: async (path) => {
        const made = await host.createFile(path);
        if (!made.ok) return made;
        const { append, close, sync } = made.value;
        return ok({ sync, append: (bytes: Uint8Array) => (left-- > 0 ? append(bytes) : err(full)), close });
      },
    };
    const stopped = await runPv(argv, { host: filling });
    expect(stopped.code).toBe(1);
    expect(stopped.stderr).toContain('PV-8047');
    expect(stopped.stderr).toContain('run.trace holds 2 steps and is incomplete');
    expect(bytesAt(host, 'run.trace').length).toBeGreaterThan(0);
  });
});
