/**
 * Every command line about data that help, README and docs show is typed, and every flag that a message names exists.
 *
 * Holds src/cli/data/show-diagnosis.ts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { runPv } from '../../support/memory-cli.ts';

const contracts = Object.fromEntries(
  readdirSync('contracts')
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => [`contracts/${name}`, readFileSync(`contracts/${name}`, 'utf8')]),
);
const config =
  'num_sequences: 22079\nbatch_size: 4\nlearning_rate: 3e-4\nmax_steps: 100\nseq_len: 64\nnum_parameters: 10\n';
const log = [1, 2, 3].map((step) => `{"step":${step},"loss":${4 - step},"train/nll":1,"grad_norm":1}\n`).join('');
const files = {
  ...contracts,
  // Where pv is installed.
  ...Object.fromEntries(Object.entries(contracts).map(([path, text]) => [`/pv/${path}`, text])),
  'contracts/my-config-v1.yaml': contracts['contracts/training-config-kernel-v1.yaml'] ?? '',
  'train.yaml': config,
  'configs/a.yaml': config,
  'run.jsonl': log,
  'run.txt': 'it 1 loss 3\nit 2 loss 2\nit 3 loss 1\n',
  'run/train.yaml': config,
  'run/run.jsonl': log,
};

/** Words of a command line up to a redirection, without their quotes. */
function words(line: string): readonly string[] {
  const [command = ''] = line.split(/\s[>|]\s/);
  return [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '').slice(1);
}

const help = (await Promise.all(['check', 'diagnose'].map((name) => runPv([name, '--help']))))
  .map(({ stdout }) => stdout)
  .join('\n');
const own = [...help.matchAll(/^ +(pv (?:check|diagnose) .*)$/gm)]
  .map(([, line = '']) => line)
  .filter((line) => !line.includes('--help') && !/[[\]()]…?\)?/.test(line.replace(/"[^"]*"/g, '')));

test('the help has examples', () => expect(own.length).toBeGreaterThan(6));

describe('the examples of the help run as printed', () => {
  test.each(own)('%s', async (line) => {
    const { code, stderr } = await runPv(words(line), { files });
    expect([stderr.includes('error['), code]).toEqual([false, expect.toSatisfy((one) => one === 0 || one === 1)]);
  });
});

const pages = [
  'README.md',
  ...['docs', 'docs/codes'].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
];
const shown = pages.flatMap((page) =>
  [...readFileSync(page, 'utf8').matchAll(/^(?:\$ )?(pv (?:check|diagnose) .*)$/gm)].map(
    ([, line = '']) => [page, line.replace(/\s+#.*$/, '')] as const,
  ),
);

describe('the command lines of the docs have flags that exist', () => {
  test.each(shown)('%s: %s', async (_, line) => {
    expect((await runPv(words(line), { files })).stderr).not.toMatch(/flag|not of the form/i);
  });
});

test('a flag that a message names is one of its command', () => {
  const flags = new Set([...help.matchAll(/^ +.*?--([a-z][a-z-]+)/gm)].map(([, flag]) => flag));
  const folders = ['src/data/read', 'src/data/judge', 'src/data/report', 'src/cli/data', 'src/data/diagnose'];
  const sources = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => `${folder}/${name}`),
  );
  const unknown = sources.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/--([a-z][a-z-]+)/g)]
      .filter(([, flag = '']) => !flags.has(flag))
      .map(([flag]) => `${file}: ${flag}`),
  );
  expect(unknown).toEqual([]);
});
