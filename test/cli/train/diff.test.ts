/** `pv certificate diff` on files. Holds src/cli/train/run-diff.ts, src/cli/train/read-run.ts. */
import { describe, expect, it } from 'vitest';
import { createMemoryHost, type MemoryHost } from '../../../src/host/memory-host.ts';
import { document } from '../../training/run/small-run.ts';
import { runPv } from '../../support/memory-cli.ts';

const small = JSON.stringify({ ...document, drills: [] });
const drilled = small.replace('"drills":[]', '"drills":[{"step":13,"gradients_times":1.5}]');

async function trained(runs: Readonly<Record<string, string>>): Promise<MemoryHost> {
  const host = createMemoryHost(Object.fromEntries(Object.entries(runs).map(([name, text]) => [`${name}.yaml`, text])));
  for (const name of Object.keys(runs)) await runPv(['train', `${name}.yaml`, '--out', name, '--quiet'], { host });
  return host;
}

const diff = (host: MemoryHost, ...args: readonly string[]) => runPv(['certificate', 'diff', ...args], { host });

describe('pv certificate diff', () => {
  it('finds nothing between two runs of the same file', async () => {
    const host = await trained({ a: small, b: small });
    expect(await diff(host, 'a', 'b')).toMatchObject({
      code: 0,
      stdout: 'a and b have the same ledger, certificate.json and weights.safetensors: 24 steps\n',
      stderr: '',
    });
  });

  it.each<[string, (files: Map<string, Uint8Array>) => void, string]>([
    [
      'the weights',
      (files) => files.set('/project/b/weights.safetensors', Uint8Array.of(1)),
      'ledger and certificate.json: 24 steps; but weights.safetensors differs',
    ],
    [
      'the certificate',
      (files) => {
        const text = new TextDecoder().decode(files.get('/project/b/certificate.json'));
        files.set('/project/b/certificate.json', new TextEncoder().encode(text.replace('"epoch":0', '"epoch":5')));
      },
      'ledger and weights.safetensors: 24 steps; but certificate.json differs\n  a has 24 steps, b 24 steps\n  certificate.epoch: 0 | 5',
    ],
    [
      'a missing file',
      (files) => files.delete('/project/b/certificate.json'),
      'ledger and weights.safetensors: 24 steps; but certificate.json differs',
    ],
  ])('does not call runs the same that differ in %s', async (_, change, said) => {
    const host = await trained({ a: small, b: small });
    change(host.files);
    const { code, stdout } = await diff(host, 'a', 'b');
    expect(code).toBe(1);
    expect(stdout).toContain(`a and b have the same ${said}\n`);
    expect(JSON.parse((await diff(host, 'a', 'b', '--json')).stdout)).toMatchObject({ same: false, step: null });
  });

  it('says which files neither run has', async () => {
    const host = await trained({ a: small, b: small });
    for (const run of ['a', 'b']) host.files.delete(`/project/${run}/certificate.json`);
    expect(await diff(host, 'a', 'b')).toMatchObject({
      code: 0,
      stdout: 'a and b have the same ledger and weights.safetensors: 24 steps; neither has certificate.json\n',
    });
  });

  it('names the setting that differs, and the first step at which it shows', async () => {
    const host = await trained({ a: small, b: drilled });
    const { code, stdout } = await diff(host, 'a', 'b');
    expect(code).toBe(1);
    expect(stdout).toContain('a and b begin differently; the first step with different records is step 13\n');
    expect(stdout).toContain('  configuration.run.drills.0: nothing | {"gradients_times":1.5,"step":13}\n');
    expect(stdout).toMatch(/^ {2}LossStabilityBound: gradient norm, at most: [\d.]+ \| [\d.]+$/m);
    expect(stdout).toMatch(/^ {2}weights after: [0-9a-f]{12}… \| [0-9a-f]{12}…$/m);
  });

  it('says so if only the settings differ', async () => {
    const host = await trained({ a: small, b: small.replace('"drills":[]', '"drills":[],"stop_after_refusals":99') });
    expect((await diff(host, 'a', 'b')).stdout).toContain(
      'begin differently, but all their common steps have the same',
    );
  });

  it('names the step at which a cut run ends', async () => {
    const host = await trained({ a: small, b: small });
    const bytes = host.files.get('/project/b/ledger.jsonl') ?? new Uint8Array();
    const lines = new TextDecoder().decode(bytes).split('\n');
    host.files.set('/project/b/ledger.jsonl', new TextEncoder().encode(lines.slice(0, 8).join('\n') + '\n{"record'));
    const { code, stdout } = await diff(host, 'a', 'b', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ same: false, step: 8, notBefore: 8, steps: [24, 7], differences: [] });
    expect((await diff(host, 'a', 'b')).stdout).toContain('are the same up to step 7, where one of them ends');
  });

  it('does not call ledgers the same if one has bytes after its last line', async () => {
    const host = await trained({ a: small, b: small });
    const bytes = host.files.get('/project/b/ledger.jsonl') ?? new Uint8Array();
    host.files.set('/project/b/ledger.jsonl', Uint8Array.of(...bytes, 0, 0, 0));
    const { code, stdout } = await diff(host, 'a', 'b');
    expect(code).toBe(1);
    expect(stdout).toBe(
      'a and b have the same complete lines of the ledger, certificate.json and weights.safetensors: 24 steps; but a ledger ends within a line\n' +
        '  a has 24 steps, b 24 steps\n  the ledger of b ends with 3 bytes of an incomplete line\n',
    );
    const json: unknown = JSON.parse((await diff(host, 'a', 'b', '--json')).stdout);
    expect(json).toMatchObject({ same: false, step: null, torn: [0, 3] });
  });

  it('narrows the steps of a compacted ledger to those between two proofs', async () => {
    const host = await trained({ a: small, b: small, c: drilled });
    await runPv(['certificate', 'compact', 'b'], { host });
    host.files.delete('/project/b/ledger.jsonl');
    expect((await diff(host, 'a', 'b')).code).toBe(0);
    expect((await diff(host, 'b', 'c')).stdout).toContain('b and c begin differently');
  });

  it('does not search a ledger whose chain is broken', async () => {
    const host = await trained({ a: small, b: small });
    const text = new TextDecoder().decode(host.files.get('/project/b/ledger.jsonl'));
    host.files.set('/project/b/ledger.jsonl', new TextEncoder().encode(text.replace('"step":5,', '"step":5, ')));
    const { code, stdout, stderr } = await diff(host, 'a', 'b');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('PV-8409');
    expect(stderr).toContain('b/ledger.jsonl');
  });

  it('exits with 2 if a run is missing', async () => {
    const host = await trained({ a: small });
    expect((await diff(host, 'a', 'nowhere')).code).toBe(2);
  });
});
