/** Holds src/data/judge/own-values.ts. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createMemoryHost } from '../../../src/host/memory-host.ts';
import { runPv, type Ran } from '../../support/memory-cli.ts';

const name = 'training-config-kernel-v1.yaml';
const contract = readFileSync(new URL(`../../../contracts/${name}`, import.meta.url), 'utf8');
const config =
  'output_dir: out\nsave_strategy: "no"\nper_device_train_batch_size: 8\nlearning_rate: 5e-5\nmax_steps: 1000\nwarmup_steps: 900\n';
const check = (files: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<Ran> =>
  runPv(['check', name, '--data', 'train.yaml', ...args], {
    host: createMemoryHost({ [name]: contract, 'package.json': '{}', ...files }),
  });
const ends = ({ stdout }: Ran): readonly (string | undefined)[] => {
  const lines = stdout.trimEnd().split('\n');
  return [lines[0], lines.at(-1)];
};

it('a limit that a config sets for itself is in the first and the last line, and in the title on GitHub', async () => {
  const files = { 'train.yaml': `${config}max_warmup_fraction: 1\n` };
  const said = 'limits set by files: max_warmup_fraction = 1 at train.yaml:7:22';
  const ran = await check(files, '--set', 'num_sequences=22079');
  expect(ran.stdout).toContain('✓ CFG-004 satisfied');
  expect(ends(ran)).toEqual([expect.stringContaining(said), expect.stringContaining(said)]);
  const github = await check(files, '--set', 'num_sequences=22079', '--format', 'github');
  expect(ends(github)[0]).toContain('limits set by files%3A max_warmup_fraction = 1');
});

it('so is one among the answers of the project, and other answers are listed', async () => {
  const answers = 'schema: pv.data/1\nanswers:\n  train.yaml: { num_sequences: 22079, max_warmup_fraction: 1 }\n';
  const ran = await check({ 'train.yaml': config, '.pv/data.yaml': answers });
  expect(ends(ran)[0]).toContain('limits set by files: max_warmup_fraction = 1 at .pv/data.yaml:3');
  expect(ran.stdout).toContain('answered by the project: num_sequences = 22079 at .pv/data.yaml:3');
});

it('one of the command line is what the person asked for', async () => {
  const ran = await check({ 'train.yaml': config }, '--set', 'num_sequences=22079', '--set', 'max_warmup_fraction=1');
  expect(ran.stdout).not.toMatch(/limits set|answered by/);
});
