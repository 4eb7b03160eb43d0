/** `pv certificate import` on files in memory. Holds src/cli/train/run-import.ts, src/cli/train/import.ts. */
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { expect, it } from 'vitest';
import { createMemoryHost, type MemoryHost } from '../../../src/host/memory-host.ts';
import { recordedRun, textOf } from '../../training/records/recorded-run.ts';
import { runPv } from '../../support/memory-cli.ts';

const invariants = 'format: pv-training-invariants/1\ninvariants:\n  - WeightNormBound: { max_norm: 8 }\n';

function hostWith(files: Readonly<Record<string, string>> = {}): MemoryHost {
  const { lines, weights } = recordedRun(6);
  const host = createMemoryHost({ 'records/steps.jsonl': textOf(lines), 'invariants.yaml': invariants, ...files });
  host.files.set('/project/records/weights.safetensors', weights);
  return host;
}

const importInto = (host: MemoryHost, ...more: readonly string[]) =>
  runPv(['certificate', 'import', 'records', '--invariants', 'invariants.yaml', '--out', 'run', ...more], { host });

it('writes a run that verifies, and says whose word its numbers are', async () => {
  const host = hostWith();
  const imported = await importInto(host);
  expect(imported).toMatchObject({ code: 0, stderr: '' });
  expect(imported.stdout).toContain('Imported: 6 steps: 6 committed, 0 refused\n');
  expect(imported.stdout).toContain('Verify it: pv certificate verify run\n');
  const verdict = await runPv(['certificate', 'verify', 'run'], { host });
  expect(verdict.code).toBe(0);
  expect(verdict.stdout).toContain(
    'the certificate takes the trainer’s word for losses, gradients, learning rates and the weights of each step\n' +
      '  the certificate says that pv measured the final weights\n',
  );
});

it('signs the certificate', async () => {
  const host = hostWith();
  expect((await runPv(['trace', 'keygen', 'example.org/alice'], { host })).code).toBe(0);
  expect((await importInto(host, '--key', 'alice.key')).code).toBe(0);
  const verdict = await runPv(['certificate', 'verify', 'run', '--key', 'alice.pub'], { host });
  expect(verdict.stdout).toContain('signed by example.org/alice');
});

it('writes nothing where it cannot certify', async () => {
  for (const [files, code, text] of [
    [{ 'records/steps.jsonl': '{}\n' }, 1, 'error[PV-8330]: records: Line 1 '],
    [{ 'invariants.yaml': invariants.replace('max_norm', 'max') }, 2, 'error[PV-8342]'],
    [{ 'invariants.yaml': 'format: [' }, 2, 'error[PV-'],
    [{ 'run/other': '' }, 2, 'run already contains other'],
  ] as const) {
    const host = hostWith(files);
    const before = [...host.files.keys()];
    const imported = await importInto(host);
    expect(imported).toMatchObject({ code, stdout: '' });
    expect(imported.stderr).toContain(text);
    expect([...host.files.keys()]).toEqual(before);
  }
  const host = hostWith();
  host.files.set('/project/records/steps.jsonl', utf8ToBytes('').fill(0));
  host.files.delete('/project/records/weights.safetensors');
  expect((await importInto(host)).stderr).toContain('records/weights.safetensors: does not exist');
});
