/** Logs that leave out where a run failed: no claim about every loss is satisfied by the rows that are there. Holds src/api/data/unread-columns.ts. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { exitCodes } from '../../../src/api/exit-code.ts';
import { createMemoryHost } from '../../../src/host/memory-host.ts';
import { eventFile, type ScalarEvent } from '../../support/event-file.ts';
import { runPv } from '../../support/memory-cli.ts';

const contract = 'training-stability-v1.yaml';
const text = readFileSync(new URL(`../../../contracts/${contract}`, import.meta.url), 'utf8').replaceAll(
  / *diagnosis: .*\n/g,
  '',
);
const log = (loss: (step: number) => number | null): string =>
  Array.from({ length: 60 }, (_, i) => `${JSON.stringify({ step: i + 1, loss: loss(i + 1) })}\n`).join('');
const falling = (step: number): number => 5 * Math.exp(-step / 60);

test.each([
  [
    'null to the end',
    (step: number) => (step < 40 ? falling(step) : null),
    '? STABLE-001 undetermined',
    exitCodes.findings,
  ],
  ['numbers to the end', falling, '✓ STABLE-001 satisfied', exitCodes.ok],
  [
    'every third step',
    (step: number) => (step % 3 === 1 ? falling(step) : null),
    '✓ STABLE-001 satisfied',
    exitCodes.ok,
  ],
])('a loss of %s', async (_, loss, verdict, code) => {
  const files = { [contract]: text, 'run.jsonl': log(loss) };
  const ran = await runPv(['check', contract, '--data', 'run.jsonl'], { files });
  expect(ran.stdout).toContain(verdict);
  expect(ran.code).toBe(code);
});

test('a config that leaves the arithmetic open says nothing of norms that the log does not have', async () => {
  const config = (bf16: string): string =>
    `base_model: a\nmicro_batch_size: 1\nsequence_len: 512\nsample_packing: false\nmax_steps: 60\nbf16: ${bf16}\n`;
  const ran = async (bf16: string, rows: string): Promise<string> => {
    const files = { [contract]: text, 'run.jsonl': rows, 'a.yaml': config(bf16) };
    const { stdout, code } = await runPv(['check', contract, '--data', 'run.jsonl', '--with', 'a.yaml'], { files });
    return `${code} ${/(\S) STABLE-002/.exec(stdout)?.[1] ?? ''}`;
  };
  expect(await ran('auto', log(falling))).toBe('0 –');
  const withNorms = log(falling).replaceAll('}', ', "grad_norm": 1.5}');
  expect([await ran('auto', withNorms), await ran('true', withNorms)]).toEqual(['1 ?', '0 ✓']);
});

const steps = Array.from({ length: 60 }, (_, i) => i + 1);
const trainerState = (loss: (step: number) => number | null): string =>
  JSON.stringify({
    global_step: 60,
    max_steps: 60,
    log_history: steps.map((step) => ({ step, epoch: 1, loss: loss(step), grad_norm: 1, learning_rate: 1e-4 })),
  });
const events = (lossUntil: number): Uint8Array => {
  const scalar = (step: number, tag: string, value: number): ScalarEvent => ({
    step,
    tag,
    value,
    wallTime: step,
    as: 'simple',
  });
  return eventFile(
    steps.flatMap((step) => [
      ...(step <= lossUntil ? [scalar(step, 'train/loss', falling(step))] : []),
      scalar(step, 'train/learning_rate', 1e-4),
    ]),
  );
};

test.each([
  ['trainer_state.json', 'a.json', trainerState((step) => (step < 40 ? falling(step) : null)), '?'],
  ['trainer_state.json with numbers to the end', 'a.json', trainerState(falling), '✓'],
  ['an event file', 'events.out.tfevents.1', events(39), '?'],
  ['an event file with numbers to the end', 'events.out.tfevents.1', events(60), '✓'],
])('a loss that stops in %s', async (_, file, content, mark) => {
  const host = createMemoryHost({ [contract]: text });
  await host.writeFileAtomic(file, content);
  const { stdout, stderr } = await runPv(['check', contract, '--data', file], { host });
  expect(stdout).toContain(`${mark} STABLE-001`);
  if (mark === '?') expect(stderr).toContain('warning[PV-7037]: loss is missing in 21 rows');
  else expect(stderr).toBe('');
  // Its format may be any: event files and CSV have a NaN.
  expect(stderr).not.toContain('JSON');
});

const lines = (numbers: readonly number[]): string =>
  numbers.map((step) => `${JSON.stringify({ step, loss: falling(step) })}\n`).join('');

test.each([
  ['missing in the middle', steps.filter((step) => step < 20 || step > 45), 'No row has a step between 19 and 46'],
  [
    'missing twice',
    steps.filter((step) => !(step > 9 && step < 15) && !(step > 30 && step < 40)),
    'No row has a step between 9 and 15, and at 1 other place',
  ],
  [
    'missing where the stride changes',
    [...steps.filter((step) => step < 20), 40, 42, 44, 46],
    'No row has a step between 19 and 40',
  ],
  [
    'missing where the run goes on with rarer rows',
    [...steps.filter((step) => step < 20), 100, 110, 120],
    'No row has a step between 19 and 100',
  ],
  ['all there', steps, null],
  ['at a larger stride from a round number on', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 100, 200, 300, 400], null],
  ['uneven, as rows by the clock are', [3, 9, 14, 40, 43, 51, 57], null],
  ['at another stride from some step on', [...steps, 70, 80, 90, 100], null],
  ['at a first step and then every ten', [1, ...steps.filter((step) => step % 10 === 0)], null],
  ['on a logarithmic scale', [1, 2, 4, 8, 16, 32, 64, 128], null],
  ['of a run that is over between two even steps', [10, 20, 30, 40, 45], null],
])('steps that are %s', async (_, numbers, message) => {
  const files = { [contract]: text, 'run.jsonl': lines(numbers) };
  const { stderr } = await runPv(['check', contract, '--data', 'run.jsonl'], { files });
  if (message === null) expect(stderr).toBe('');
  else expect(stderr).toContain(`warning[PV-7044]: ${message}`);
});

/** A line of Megatron's log. */
const megatron = (step: number, skipped: number, nan: number, loss: string | null): string =>
  ` [2024-05-01 10:00:00] iteration ${step}/ 500 | consumed samples: ${step * 8} | learning rate: 1.5E-04 |` +
  ` global batch size: 8 |${loss === null ? '' : ` lm loss: ${loss} |`} loss scale: 1.0 | grad norm: 1.234 |` +
  ` number of skipped iterations: ${skipped} | number of nan iterations: ${nan} |\n`;
const megatronLog = (at: (step: number) => readonly [skipped: number, nan: number, isWhole?: boolean]): string =>
  steps
    .map((step) => {
      const [skipped, nan, isWhole = true] = at(step * 10);
      return megatron(step * 10, skipped, nan, isWhole ? falling(step).toExponential(6) : null);
    })
    .join('');

test.each([
  ['an iteration with NaN', (step: number) => [1, Number(step === 300)] as const, ['✗ STABLE-001', '✗ STABLE-002'], 2],
  [
    'one in a row without a loss',
    (step: number) => [1, Number(step === 300), step !== 300] as const,
    ['✗ STABLE-001'],
    2,
  ],
  [
    'an iteration that was skipped',
    (step: number) => [Number(step === 10), 0] as const,
    ['✓ STABLE-001', '✓ STABLE-002'],
    1,
  ],
  ['neither', () => [0, 0] as const, ['✓ STABLE-001', '✓ STABLE-002'], 0],
])("Megatron's count of %s", async (_, at, verdicts, warnings) => {
  const files = { [contract]: text, 'run.log': megatronLog(at) };
  const { stdout, stderr } = await runPv(['check', contract, '--data', 'run.log'], { files });
  for (const verdict of verdicts) expect(stdout).toContain(verdict);
  expect(stderr.match(/warning\[PV-7043\]/g)?.length ?? 0).toBe(warnings);
});

const record = (step: number): object => ({ step, loss: falling(step) });
const jsonLines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
const document = (beside: object, loss: (step: number) => number | string = falling): string =>
  JSON.stringify({ ...beside, log_history: steps.map((step) => ({ step, loss: loss(step) })) });
const nanAt30 = (step: number): number | string => (step === 30 ? 'NaN' : falling(step));

test.each<readonly [what: string, file: string, content: string, mark: string, warning: string | null]>([
  [
    'in its rows',
    'run.jsonl',
    jsonLines(steps.map((step) => ({ ...record(step), num_nan_steps: Number(step > 30) }))),
    '✗',
    '30 rows of the log count iterations with a loss that is not finite',
  ],
  [
    'in a last row about the whole run',
    'run.jsonl',
    jsonLines([...steps.map(record), { train_runtime: 30, num_nan_steps: 3 }]),
    '✗',
    'The log counts 3 iterations with a loss that is not finite, and no row shows where',
  ],
  [
    'next to its rows',
    'run.json',
    document({ num_nan_steps: 1 }),
    '✗',
    'The log counts 1 iteration with a loss that is not finite, and no row shows where',
  ],
  [
    'in a section next to its rows',
    'run.json',
    document({ totals: { nan_loss_count: 2 } }),
    '✗',
    'The log counts 2 iterations with a loss that is not finite, and no row shows where',
  ],
  ['where its rows show them', 'run.json', document({ num_nan_steps: 1 }, nanAt30), '✗', null],
  [
    'as none, in its rows',
    'run.jsonl',
    jsonLines(steps.map((step) => ({ ...record(step), num_nan_steps: 0 }))),
    '✓',
    null,
  ],
  ['as none, of the whole run', 'run.json', document({ num_nan_steps: 0 }), '✓', null],
  ['that it allows', 'run.json', document({ max_nan_steps: 3 }), '✓', null],
])('a log that counts steps with NaN %s', async (_, file, content, mark, warning) => {
  const files = { [contract]: text, [file]: content };
  const { stdout, stderr } = await runPv(['check', contract, '--data', file], { files });
  expect(stdout).toContain(`${mark} STABLE-001`);
  if (warning === null) expect(stderr).not.toContain('PV-7043');
  else expect(stderr).toContain(`warning[PV-7043]: ${warning}`);
});

test.each([
  ['an object that is complete', 'INFO {"step": 60, "loss": 2.5}', exitCodes.ok],
  ['a dict that is complete', "INFO {'step': 60, 'loss': 2.5}", exitCodes.ok],
  ['an object that is cut', 'INFO {"step": 60, "loss": 2.5', exitCodes.findings],
  ['a line that names less', 'INFO step=60 loss=2.5', exitCodes.findings],
])('a last line without a line end: %s', async (_, last, code) => {
  const isObject = last.includes('{');
  const before = steps.slice(0, -1).map((step) => {
    const row = { step, loss: falling(step), lr: 1e-4 };
    return isObject ? `INFO ${JSON.stringify(row)}\n` : `INFO step=${step} loss=${row.loss} lr=1e-4\n`;
  });
  const files = { [contract]: text, 'run.log': before.join('') + last };
  const ran = await runPv(['check', contract, '--data', 'run.log'], { files });
  expect(ran.code).toBe(code);
  expect(ran.stderr.includes('PV-7020')).toBe(code !== exitCodes.ok);
});

test.each([1, 8])(
  '%i lines that cannot be read are named before the verdict, which says so at its end',
  async (broken) => {
    const lines = log(falling).split('\n');
    const files = {
      [contract]: text,
      'run.jsonl': lines.map((line, i) => (i < broken ? `${line},` : line)).join('\n'),
    };
    const { code, stdout } = await runPv(['check', contract, '--data', 'run.jsonl'], { files });
    expect(code).toBe(exitCodes.findings);
    const [first = '', ...rest] = stdout.trimEnd().split('\n');
    expect(first).toBe(
      '! PV-7019 run.jsonl:1:1: This line is not a JSON object: There is more text after the end of the JSON value',
    );
    expect(rest.at(-1)).toMatch(/^1 data set: .* 0 violated.*; errors in the files are listed first$/u);
    expect(stdout.match(/^! PV-7019/gmu)).toHaveLength(Math.min(broken, 6));
  },
);

test('of many errors a few are named, and the others counted', async () => {
  const files = Object.fromEntries(Array.from({ length: 14 }, (_, i) => [`${i}.jsonl`, `${log(falling)}{`]));
  const data = Object.keys(files).flatMap((file) => ['--data', file]);
  const { stdout } = await runPv(['check', contract, ...data], { files: { [contract]: text, ...files } });
  expect(stdout.split('\n').filter((line) => line.startsWith('!'))).toHaveLength(13);
  expect(stdout).toContain('\n! and 2 more\n');
});

test('a column that no claim reads is reported where it is not finite, since it may be the loss', async () => {
  const hidden = (key: string, step: number): object => ({ ...record(step), [key]: step > 40 ? 'NaN' : falling(step) });
  const rows = Array.from({ length: 60 }, (_, i) => ({ ...hidden('train nll', i + 1), ...hidden('другое', i + 1) }));
  // As Python writes it.
  const files = { [contract]: text, 'run.jsonl': jsonLines(rows).replaceAll('"NaN"', 'NaN') };
  const { code, stderr } = await runPv(['check', contract, '--data', 'run.jsonl'], { files });
  expect(stderr).toContain(
    "warning[PV-7050]: 'train nll', which no claim reads, is not finite in 20 rows; nor is 'другое'\n --> run.jsonl:41",
  );
  expect(stderr).toContain("--map 'loss=train nll'");
  expect(code).toBe(exitCodes.ok);
  const mapped = await runPv(['check', contract, '--data', 'run.jsonl', '--map', 'loss=train nll'], { files });
  expect(mapped.stdout).toContain('✗ STABLE-001');
});

test('a column that the contract itself reads is left to its claims', async () => {
  const own = `metadata: { version: "1.0.0", description: d, references: [r] }
data:
  kind: log
  domain: "spread ∈ F64_ext^T"
  inputs:
    spread: { from: log.spread, meaning: spread of a row }
proof_obligations:
  - { id: S-1, type: bound, property: p, formal: "spread_t ≥ 0 ∨ ¬is_finite(spread_t)" }
`;
  const rows = Array.from({ length: 20 }, (_, i) => ({
    ...record(i + 1),
    spread: i > 10 ? 'NaN' : 1,
    other: i > 10 ? 'NaN' : 1,
  }));
  const files = { 'own-v1.yaml': own, 'run.jsonl': jsonLines(rows).replaceAll('"NaN"', 'NaN') };
  const { stdout, stderr } = await runPv(['check', 'own-v1.yaml', '--data', 'run.jsonl'], { files });
  expect(stdout).toContain('✓ S-1 satisfied');
  expect(stderr).toContain("warning[PV-7050]: 'other', which no claim reads, is not finite in 9 rows\n");
});
