import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { checkData } from '../../../src/methods/data/check-data.ts';
import { knownContracts, type Remembering } from '../../../src/cli/data/known-contracts.ts';
import { sealed } from '../../../src/host/seal.ts';
import { createMemoryHost, type MemoryHost } from '../../../src/host/memory-host.ts';
import { config } from '../../methods/data/data-sets.ts';
import { memoryCli } from '../../support/memory-cli.ts';

const kernel = await readFile(new URL('../../../contracts/softmax-kernel-v1.yaml', import.meta.url), 'utf8');
const steps = `metadata: { version: "1.0.0", description: d, references: [r] }
data:
  kind: config
  domain: "sequences ∈ ℤ, batch ∈ ℤ, epochs ∈ F64_ext, max_steps ∈ ℤ, sequences ≥ 1, batch ≥ 1, epochs > 0, max_steps ≥ 1"
  inputs:
    epochs: { default: "∞", mend: increase }
    max_steps: { default: "{ ⌊epochs·per_epoch⌋ if epochs < ∞; ∞ otherwise }", mend: decrease }
equations:
  per_epoch: { formula: "per_epoch = ⌊sequences / batch⌋" }
proof_obligations:
  - { id: ENOUGH, type: bound, property: enough data, formal: "epochs < ∞ ⟹ epochs·per_epoch ≥ max_steps" }
  - { id: STRICT, type: bound, property: more data, formal: "epochs < ∞ ⟹ epochs·per_epoch + 1 > max_steps", diagnosis: { caused_by: [ENOUGH] } }
  - { id: PROSE, type: bound, property: words, formal: "the run is long enough for its purpose" }
`;
const remembering: Remembering = { build: 'pv 1', cache: true };
const env = { XDG_CACHE_HOME: '/home/cache' };

/** What reading the contracts comes to, and whether anything but the cache and its questions was needed. */
async function read(
  host: MemoryHost,
  how: Remembering = remembering,
  environment: Readonly<Record<string, string>> = env,
) {
  const before = JSON.stringify([...host.files].filter(([path]) => path.includes('check-')));
  const { cli, written } = memoryCli({ host, env: environment });
  const known = await knownContracts(cli, ['contracts/steps.yaml'], how);
  const kept = JSON.stringify([...host.files].filter(([path]) => path.includes('check-')));
  return { known, written, wrote: kept !== before };
}

async function verdicts({ known }: Awaited<ReturnType<typeof read>>): Promise<string> {
  if (!known.complete) return `exit ${known.exitCode}`;
  const runs = [
    config({ sequences: 100, batch: 10, epochs: 1, max_steps: 11 }),
    config({ sequences: 100, batch: 10, epochs: 2 }),
    config({ sequences: 100, batch: 10 }),
    config({ batch: 10, max_steps: 11, epochs: 1 }),
  ];
  const checks = [];
  for (const contract of known.contracts)
    for (const data of runs) checks.push(await checkData(contract, [data], new Map()));
  return JSON.stringify(checks);
}

describe('remembered contracts', () => {
  it('say of data what contracts say that are read, byte for byte', async () => {
    const host = createMemoryHost({ 'contracts/steps.yaml': steps });
    const first = await read(host);
    const second = await read(host);
    expect([first.wrote, second.wrote]).toEqual([true, false]);
    expect(await verdicts(second)).toBe(await verdicts(first));
    expect(await verdicts(second)).toContain('"becomes":10');
    expect(await verdicts(second)).toContain('"consequence":{"of":"ENOUGH","shownBy":"mend"}');
    expect(await verdicts(second)).toBe(await verdicts(await read(host, { ...remembering, cache: false })));
  });

  it('are read again when the file, or the build, is another', async () => {
    const host = createMemoryHost({ 'contracts/steps.yaml': steps });
    await read(host);
    await host.writeFileAtomic('contracts/steps.yaml', steps.replace('≥ max_steps"', '> max_steps"'));
    const changed = await read(host);
    expect(changed.wrote).toBe(true);
    expect(await verdicts(changed)).toContain('epochs·per_epoch > max_steps');
    expect((await read(host, { build: 'pv 2', cache: true })).wrote).toBe(true);
  });

  it('are those that this user kept: another seal counts for nothing', async () => {
    const host = createMemoryHost({ 'contracts/steps.yaml': steps });
    await read(host);
    const textOf = (part: string): readonly [string, string] => {
      const [path, bytes] = [...host.files].find(([name]) => name.includes(part)) ?? ['', new Uint8Array()];
      return [path, new TextDecoder().decode(bytes)];
    };
    const [path, text] = textOf('/check-');
    const forged = text.split('\n')[1]?.replaceAll('ENOUGH', 'FORGED') ?? '';
    await host.writeFileAtomic(path, `${sealed(textOf('validate.key')[1], forged)}\n${forged}`);
    expect(await verdicts(await read(host))).toContain('FORGED');
    await host.writeFileAtomic(path, `${sealed('another', forged)}\n${forged}`);
    expect(await verdicts(await read(host))).not.toContain('FORGED');
  });

  it('are none in CI, for code without a name, where the person wants none, and where there is no folder for a seal', async () => {
    const host = createMemoryHost({ 'contracts/steps.yaml': steps });
    for (const [how, environment] of [
      [remembering, { ...env, CI: 'true' }],
      [{ build: null, cache: true }, env],
      [{ build: 'pv 1', cache: false }, env],
      [remembering, {}],
    ] as const) {
      const one = await read(host, how, environment);
      expect([one.known.complete, one.wrote]).toEqual([true, false]);
    }
  });

  it('are none when something is wrong with them: that is said every time', async () => {
    for (const text of [steps.replace('≥ max_steps"', '≥ max_stepz"').replace('type: bound', 'type: bund'), kernel]) {
      const host = createMemoryHost({ 'contracts/steps.yaml': text });
      const [first, second] = [await read(host), await read(host)];
      expect(first.known.complete).toBe(false);
      expect(first.written.stderr).not.toBe('');
      expect(second.written.stderr).toBe(first.written.stderr);
      expect(first.wrote).toBe(false);
    }
  });
});
