import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createMemoryHost } from '../../../src/host/memory-host.ts';
import { runPv, type Ran } from '../../support/memory-cli.ts';

const contract = 'training-config-kernel-v1.yaml';
const text = readFileSync(new URL(`../../../contracts/${contract}`, import.meta.url), 'utf8');
const config =
  'output_dir: out\nsave_strategy: "no"\nper_device_train_batch_size: 8\nlearning_rate: 5e-5\nnum_train_epochs: 3\nwarmup_steps: 100\n';
const answers = (rows: string): string => `schema: pv.data/1\nanswers:\n${rows}`;

const world = (files: Readonly<Record<string, string>> = {}): ReturnType<typeof createMemoryHost> =>
  createMemoryHost({ [contract]: text, 'package.json': '{}', 'configs/a.yaml': config, ...files });
const check = (host: ReturnType<typeof createMemoryHost>, ...args: readonly string[]): Promise<Ran> =>
  runPv(['check', contract, '--data', 'configs/a.yaml', ...args], { host });

describe('answers about data', () => {
  it('are remembered, and from then on take the place of --set', async () => {
    const host = world();
    const before = await check(host);
    expect(before.stdout).toContain('--set num_sequences=');
    const told = await check(host, '--set', 'num_sequences=22079', '--remember');
    const after = await check(host);
    expect(after.code).toBe(told.code);
    expect(after.stdout).not.toContain('--set num_sequences=');
    const kept = await host.readText('.pv/data.yaml');
    expect(kept.ok && kept.value).toContain('  configs/a.yaml:\n    num_sequences: 22079\n');
  });

  it('are kept beside others, and comments stay', async () => {
    const host = world({ '.pv/data.yaml': `${answers('  b.yaml: { num_sequences: 5 } # counted')}\n` });
    await check(host, '--set', 'num_sequences=22079', '--remember');
    const kept = await host.readText('.pv/data.yaml');
    expect(kept.ok && kept.value).toMatch(
      /b\.yaml: \{ num_sequences: 5 \} # counted[^]*configs\/a\.yaml:\n +num_sequences: 22079/,
    );
  });

  it('are shown with their place, and are about no other file', async () => {
    const few = await check(world({ '.pv/data.yaml': answers('  configs/a.yaml: { num_sequences: 80 }') }));
    expect(few).toMatchObject({ code: 1 });
    expect(few.stdout).toContain('.pv/data.yaml:3');
    const other = await check(world({ '.pv/data.yaml': answers('  configs/b.yaml: { num_sequences: 80 }') }));
    expect(other.stdout).toContain('--set num_sequences=');
  });

  it('give way to --set, and never to what the file says', async () => {
    const host = world({ '.pv/data.yaml': answers('  configs/a.yaml: { num_sequences: 80, warmup_steps: 999999 }') });
    const found = await check(host, '--set', 'num_sequences=22079');
    expect(found).toEqual(await check(world(), '--set', 'num_sequences=22079'));
  });

  it('are said to have no effect where the file itself has the value', async () => {
    const host = world();
    const told = await check(host, '--set', 'warmup_steps=10', '--set', 'num_sequences=22079', '--remember');
    const line = config.split('\n').findIndex((one) => one.includes('warmup_steps')) + 1;
    expect(told.stderr).toBe(
      `pv: configs/a.yaml:${line} sets warmup_steps, so the answer has no effect without --set: change it there\n`,
    );
  });

  it('are listed where no contract reads them: a misspelt one shows', async () => {
    const found = await check(world({ '.pv/data.yaml': answers('  configs/a.yaml: { num_sequencse: 80 }') }));
    expect(found.stdout).toContain('num_sequencse');
    expect(found.code).toBe(1);
  });

  it('are not kept for inputs that no contract has', async () => {
    const host = world();
    await check(host, '--set', 'num_sequencse=22079', '--remember');
    const kept = await host.readText('.pv/data.yaml');
    expect(kept.ok && kept.value.includes('num_sequencse')).toBe(false);
  });

  it.each([
    ['another schema', 'schema: pv.data/9\nanswers: {}\n'],
    ['no schema', 'answers: { configs/a.yaml: { num_sequences: 80 } }\n'],
    ['a misspelt key', 'schema: pv.data/1\nanswer: { configs/a.yaml: { num_sequences: 80 } }\n'],
    ['a list', answers('  - configs/a.yaml\n')],
    ['a value for a file', answers('  configs/a.yaml: 80\n')],
    ['a list for an input', answers('  configs/a.yaml: { num_sequences: [80] }\n')],
    ['nothing for an input', answers('  configs/a.yaml: { num_sequences: }\n')],
  ])('are refused: %s', async (_, file) => {
    const found = await check(world({ '.pv/data.yaml': file }), '--set', 'num_sequences=22079');
    expect(found.code).not.toBe(0);
    expect(found.stderr).toMatch(/PV-7060|PV-\d{4}/);
  });

  it('do not cover a text where a number is needed', async () => {
    const found = await check(world({ '.pv/data.yaml': answers('  configs/a.yaml: { num_sequences: many }') }));
    expect(found.code).toBe(1);
    expect(found.stdout).toContain('PV-9002');
  });
});
