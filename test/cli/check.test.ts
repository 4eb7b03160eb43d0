/**
 * Holds src/api/data/data-contracts.ts, src/api/data/run-check.ts, src/api/data/unmapped.ts, src/cli/commands/check.ts,
 * src/data/report/findings.ts, src/data/report/mend-text.ts, src/api/data/asked-files.ts, src/api/shipped-contract.ts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/api/exit-code.ts';
import { createMemoryHost } from '../../src/host/memory-host.ts';
import { runPv } from '../support/memory-cli.ts';

const falling = (claims: readonly string[]): string =>
  [
    'metadata: { version: "1.0.0", description: d, references: [r] }',
    'data: { kind: log, domain: "loss ∈ F64^T, T ≥ 1", inputs: { loss: { from: log.loss } } }',
    'proof_obligations:',
    ...claims.map((formal, i) => `  - { id: F-${i}, type: monotonicity, property: falls, formal: "${formal}" }`),
    '',
  ].join('\n');

const files = {
  'steps-v1.yaml': [
    'metadata: { version: "1.0.0", description: d, references: [r] }',
    'data:',
    '  kind: config',
    '  domain: "num_sequences ∈ ℤ, batch_size ∈ ℤ, max_steps ∈ ℤ, num_sequences ≥ 1, batch_size ≥ 1, max_steps ≥ 1"',
    '  inputs:',
    '    max_steps: { meaning: requested steps, mend: decrease }',
    'proof_obligations:',
    '  - { id: ENOUGH, type: bound, property: enough data, formal: "num_sequences / batch_size ≥ max_steps" }',
    '',
  ].join('\n'),
  'kernel-v1.yaml': [
    'metadata: { version: "1.0.0", description: d, references: [r] }',
    'equations:',
    '  double: { formula: "D(x)_i = 2·x_i", domain: "x ∈ F32^n, n ≤ 8" }',
    'proof_obligations:',
    '  - { id: D-1, type: equivalence, property: doubles, formal: "D(x) ≈ D_ref(x)", tolerance: { ulp: 1 } }',
    '',
  ].join('\n'),
  'good.yaml': 'num_sequences: 100\nbatch_size: 10\nmax_steps: 10\n',
  'bad.yaml': 'num_sequences: 100\nbatch_size: 10\nmax_steps: 11\n',
  'partial.yaml': 'batch_size: 10\nmax_steps: 11\n',
  'configs/a.yaml': 'num_sequences: 100\nbatch_size: 10\nmax_steps: 10\n',
  'configs/b.yaml': 'num_sequences: 100\nbatch_size: 10\nmax_steps: 99\n',
  'losses-v1.yaml': [
    'metadata: { version: "1.0.0", description: d, references: [r] }',
    'data: { kind: log, domain: "loss ∈ F64_ext^T, loss_t ≥ 0", inputs: { loss: { from: log.loss } } }',
    'proof_obligations:',
    '  - { id: FINITE, type: invariant, property: finite, formal: "is_finite(loss_t)" }',
    '',
  ].join('\n'),
  'chain-v1.yaml': [
    'metadata: { version: "1.0.0", description: d, references: [r] }',
    'data: { kind: config, domain: "max_steps ∈ ℤ, rows ∈ ℤ, max_steps ≥ 1", inputs: { max_steps: { mend: decrease } } }',
    'proof_obligations:',
    '  - { id: TWICE, type: bound, property: rows for two, formal: "rows + 1 > max_steps", diagnosis: { caused_by: [ONCE] } }',
    '  - { id: ONCE, type: bound, property: rows for one, formal: "rows ≥ max_steps", if_fails: too few rows }',
    '  - { id: MANY, type: bound, property: many rows, formal: "rows ≥ 100", diagnosis: { caused_by: [ONCE] } }',
    '',
  ].join('\n'),
  'share-v1.yaml': [
    'metadata: { version: "1.0.0", description: d, references: [r] }',
    'data: { kind: config, domain: "max_steps ∈ ℤ, rows ∈ ℤ, rise ∈ ℤ, max_steps ≥ 1", inputs: { max_steps: { mend: decrease } } }',
    'proof_obligations:',
    '  - { id: SHARE, type: bound, property: a short rise, formal: "10·rise ≤ max_steps", diagnosis: { caused_by: [ENOUGH] } }',
    '  - { id: OTHER, type: bound, property: rows, formal: "rows ≥ 100" }',
    '  - { id: ENOUGH, type: bound, property: rows for all, formal: "rows ≥ max_steps" }',
    '',
  ].join('\n'),
  'next-v1.yaml': falling(['loss_{t+1} ≤ loss_t']),
  'beyond-v1.yaml': falling(['∀ t ∈ [0, T): loss_{t+1} ≤ loss_t']),
  'falling-v1.yaml': falling(['∀ t ∈ [0, T-1): loss_{t+1} ≤ loss_t', 't > 0 ⟹ loss_t ≤ loss_{t-1}']),
  'falling.jsonl': '{"step":1,"loss":3}\n{"step":2,"loss":2}\n{"step":3,"loss":1}\n',
  'rising.jsonl': '{"step":1,"loss":3}\n{"step":2,"loss":2}\n{"step":3,"loss":2.5}\n',
  'short.yaml': 'rows: 50\nmax_steps: 60\n',
  'cut.jsonl': '{"step":1,"loss":2}\n{"step":2,"loss":1}\n{"step":3,"lo',
  'resumed.jsonl': '{"step":1,"loss":2}\n{"step":2,"loss":1}\n{"step":2,"loss":1}\n{"step":1,"loss":1}\n',
  'arguments.json': '{ "output_dir": "x", "save_strategy": "no", "max_steps": 13 }',
  'beside.yaml': 'rows: 50\n',
  'binary.bin': '\0\0\0',
};

async function check(...args: readonly string[]): Promise<Awaited<ReturnType<typeof runPv>>> {
  return runPv(['check', ...args], { files });
}

describe('pv check', () => {
  it('passes what holds', async () => {
    const ran = await check('steps-v1.yaml', '--data', 'good.yaml');
    expect(ran.stdout).toContain('✓ ENOUGH satisfied');
    expect(ran.stdout).toContain('1 data set: 1 of 1 obligation evaluated, 0 violated');
    expect(ran.code).toBe(exitCodes.ok);
  });

  it('fails what is violated, with the line and the mend', async () => {
    const ran = await check('steps-v1.yaml', '--data', 'bad.yaml');
    expect(ran.stdout).toContain('here:    100 / 10 ≥ 11');
    expect(ran.stdout).toContain('fix: max_steps: 11 → 10 at bad.yaml:3:12');
    expect(ran.code).toBe(exitCodes.findings);
  });

  it('says whose default it took, after what any file says', async () => {
    const ran = await check('steps-v1.yaml', '--data', 'arguments.json', '--set', 'num_sequences=100');
    expect(ran.stdout).toContain(
      'default of Hugging Face TrainingArguments, since the data do not say: batch_size = 8',
    );
    expect(ran.stdout).toContain('here:    100 / 8 ≥ 13');
    const given = await check(
      'steps-v1.yaml',
      '--data',
      'arguments.json',
      '--set',
      'num_sequences=100',
      '--with',
      'good.yaml',
    );
    expect(given.stdout).toContain('here:    100 / 10 ≥ 13');
    const json = await check(
      'steps-v1.yaml',
      '--data',
      'arguments.json',
      '--set',
      'num_sequences=100',
      '--format',
      'json',
    );
    expect(JSON.parse(json.stdout)).toMatchObject({
      checks: [
        { obligations: [{ assumed: [{ name: 'batch_size', value: 8, defaultOf: 'Hugging Face TrainingArguments' }] }] },
      ],
    });
  });

  it.each([
    ['good.yaml', 'steps-v1.yaml', 'batch_size=data.batch'],
    ['resumed.jsonl', 'losses-v1.yaml', 'loss=train/loss'],
  ])('checks nothing of %s when a mapping names a key that no file has', async (file, contract, mapping) => {
    const ran = await check(contract, '--data', file, '--map', mapping, '--allow-restarts');
    expect(ran.stderr).toContain('error[PV-7030]');
    expect([ran.stdout.includes('satisfied'), ran.code]).toEqual([false, exitCodes.usage]);
  });

  it('takes a mapping that the file beside the data has', async () => {
    const mapped = ['--data', 'partial.yaml', '--with', 'beside.yaml', '--map', 'num_sequences=rows'];
    const ran = await check('steps-v1.yaml', ...mapped);
    expect([ran.stdout.includes('here:    50 / 10 ≥ 11'), ran.stderr]).toEqual([true, '']);
  });

  it.each([
    ['cut.jsonl', 'PV-7020', '--allow-cut', '--allow-restarts'],
    ['resumed.jsonl', 'PV-7024', '--allow-restarts', '--allow-cut'],
  ])('passes %s (%s) only where the person says %s', async (file, code, flag, other) => {
    const [plain, allowed, wrong] = await Promise.all([
      check('losses-v1.yaml', '--data', file),
      check('losses-v1.yaml', '--data', file, flag),
      check('losses-v1.yaml', '--data', file, other),
    ]);
    expect([plain.code, allowed.code, wrong.code]).toEqual([exitCodes.findings, exitCodes.ok, exitCodes.findings]);
    expect([plain.stderr, allowed.stderr]).toEqual([
      expect.stringContaining(`error[${code}]`),
      expect.stringContaining(`warning[${code}]`),
    ]);
    expect(plain.stdout).toContain('✓ FINITE satisfied');
  });

  it.each(['json', 'sarif', 'gitlab', 'github'])('says in %s what is wrong with a file', async (format) => {
    const ran = await check('losses-v1.yaml', '--data', 'cut.jsonl', '--format', format);
    expect([ran.stdout.includes('PV-7020'), ran.code]).toEqual([true, exitCodes.findings]);
    const allowed = await check('losses-v1.yaml', '--data', 'cut.jsonl', '--format', format, '--allow-cut');
    expect([allowed.stdout.includes('PV-7020'), allowed.code]).toEqual([true, exitCodes.ok]);
  });

  it('places what is wrong with a file in the report as on stderr', async () => {
    const ran = await check('losses-v1.yaml', '--data', 'cut.jsonl', '--format', 'json');
    expect(JSON.parse(ran.stdout).findings).toMatchObject([
      { code: 'PV-7020', severity: 'error', path: 'cut.jsonl', start: { line: 3 } },
    ]);
  });

  it('shows what follows from a violation under it, and counts it', async () => {
    const ran = await check('chain-v1.yaml', '--data', 'short.yaml');
    expect(ran.stdout.slice(0, ran.stdout.indexOf('✗ MANY'))).toContain(
      [
        '      cause: too few rows',
        '      fix: max_steps: 60 → 50 at short.yaml:2:12',
        '      also violated as a consequence; the first fix resolves it too:',
        '        TWICE rows for two: 50 + 1 > 60',
        '',
      ].join('\n'),
    );
    expect(ran.stdout).not.toContain('✗ TWICE');
    // The mend of its named cause does not mend it, so it stands for itself.
    expect(ran.stdout).toContain('✗ MANY violated');
    expect(ran.stdout).toContain('3 of 3 obligations evaluated, 3 violated');
    const sarif = await check('chain-v1.yaml', '--data', 'short.yaml', '--format', 'sarif');
    expect(JSON.parse(sarif.stdout).runs[0].results).toHaveLength(3);
    expect(sarif.stdout).toContain('TWICE: rows for two: 50 + 1 > 60 (a consequence of ONCE)');
  });

  it('never passes what it could not evaluate, unless asked to', async () => {
    const ran = await check('steps-v1.yaml', '--data', 'partial.yaml');
    expect(ran.stdout).toContain('give it with --set num_sequences=…');
    expect(ran.code).toBe(exitCodes.findings);
    // Nothing at all was evaluated: that is no pass either.
    const allowed = await check('steps-v1.yaml', '--data', 'partial.yaml', '--allow-unevaluated');
    expect(allowed.code).toBe(exitCodes.findings);
  });

  it('refuses a claim that reads beyond the last row, instead of judging the log by it', async () => {
    const refused = await check('beyond-v1.yaml', '--data', 'falling.jsonl');
    expect(refused.stderr).toContain('PV-4025');
    expect(refused).toMatchObject({ code: exitCodes.findings, stdout: '' });
    const { code, stdout } = await check('falling-v1.yaml', '--data', 'falling.jsonl');
    expect(stdout).toContain('2 of 2 obligations evaluated, 0 violated');
    expect(code).toBe(0);
  });

  it('takes a claim about neighbours without a range to be about the rows that have a next one', async () => {
    expect((await check('next-v1.yaml', '--data', 'falling.jsonl')).code).toBe(0);
    const rising = await check('next-v1.yaml', '--data', 'rising.jsonl');
    expect(rising.stdout).toContain('1 of 1 obligation evaluated, 1 violated');
    expect(rising.code).toBe(exitCodes.findings);
  });

  it('takes what is missing from the command line or another file', async () => {
    expect((await check('steps-v1.yaml', '--data', 'partial.yaml', '--set', 'num_sequences=110')).code).toBe(0);
    expect((await check('steps-v1.yaml', '--data', 'partial.yaml', '--with', 'good.yaml')).code).toBe(1);
  });

  it('lists what a fix of another violation changes after that one', async () => {
    const host = createMemoryHost({ ...files, 'rise.yaml': 'rows: 50\nmax_steps: 99\nrise: 60\n' });
    const ran = await runPv(['check', 'share-v1.yaml', '--data', 'rise.yaml'], { host });
    expect(ran.stdout.match(/✗ \w+/g)).toEqual(['✗ OTHER', '✗ ENOUGH', '✗ SHARE']);
  });

  it('checks every file of a folder, each on its own', async () => {
    const ran = await check('steps-v1.yaml', '--data', 'configs');
    expect(ran.stdout).toContain('2 data sets: 2 of 2 obligations evaluated, 1 violated');
    expect(ran.code).toBe(exitCodes.findings);
  });

  it.each([
    ['a contract about kernels', ['kernel-v1.yaml', '--data', 'good.yaml'], 'PV-9006'],
    ['a file that is not there', ['steps-v1.yaml', '--data', 'nowhere.yaml'], 'PV-8001'],
    ['a contract that is not there', ['nowhere.yaml', '--data', 'good.yaml'], 'PV-8001'],
  ])('refuses %s', async (_, args, code) => {
    const ran = await check(...args);
    expect(ran.stderr).toContain(code);
    expect(ran.code).toBe(exitCodes.usage);
  });

  it('refuses a file that is not a config, log or trace, without passing', async () => {
    const ran = await check('steps-v1.yaml', '--data', 'binary.bin');
    expect(ran.stderr).toMatch(/PV-\d{4}/);
    expect(ran.stdout).toBe('');
    expect(ran.code).toBe(exitCodes.usage);
  });

  it.each(['--set', '--map'])('refuses a %s without a value', async (flag) => {
    const ran = await check('steps-v1.yaml', '--data', 'good.yaml', flag, 'num_sequences');
    expect(ran.stderr).toContain('is not of the form');
    expect(ran.code).toBe(exitCodes.usage);
  });

  it.each([
    ['bad.yaml', 'error', 'FAILED'],
    ['good.yaml', 'notice', 'PASSED'],
  ])('says to GitHub of %s what was checked', async (file, kind, result) => {
    const { stdout } = await check('steps-v1.yaml', '--data', file, '--format', 'github');
    expect(stdout).toMatch(
      new RegExp(
        String.raw`^::${kind} title=pv%3A check ${result}::1 contract on 1 data set: \d+ of \d+ claims? evaluated`,
      ),
    );
  });

  it.each(['json', 'github', 'sarif', 'gitlab'])('prints %s', async (format) => {
    const ran = await check('steps-v1.yaml', '--data', 'bad.yaml', '--format', format);
    expect(ran.stdout).toContain('bad.yaml');
    if (format !== 'github') expect(() => void JSON.parse(ran.stdout)).not.toThrow();
    expect(ran.code).toBe(exitCodes.findings);
  });
});

describe('pv check without --data', () => {
  const folder = new URL('../../contracts/', import.meta.url);
  const shipped = readdirSync(folder)
    .filter((name) => name.endsWith('-v1.yaml'))
    .map((name) => [`/pv/contracts/${name}`, readFileSync(new URL(name, folder), 'utf8')] as const)
    .filter(([, text]) => /^data:/m.test(text));
  const profile = {
    traceEvents: [
      { ph: 'X', cat: 'kernel', name: 'k', pid: 0, tid: 7, ts: 10, dur: 5, args: { stream: 7, correlation: 1 } },
    ],
  };
  const world = {
    ...files,
    ...Object.fromEntries(shipped),
    'log.jsonl': Array.from({ length: 50 }, (_, i) => `{"step":${i + 1},"loss":${5 - i / 20}}\n`).join(''),
    'trace.json': JSON.stringify(profile),
    'spiky.jsonl': '{"step":1,"loss":2}\n{"step":2,"loss":NaN}\n{"step":3,"loss":2}\n',
  };
  const run = (...args: readonly string[]) => runPv(['check', ...args], { files: world });

  it.each([
    ['good.yaml', 'training-config-kernel-v1'],
    ['log.jsonl', 'training-stability-v1'],
    ['trace.json', 'training-gpu-kernel-v1'],
  ])('judges %s by %s', async (file, contract) => {
    expect((await run(file)).stdout).toContain(`${contract} on ${file} (`);
  });

  describe('of a log with its learning rates', () => {
    const rates = (of: (step: number) => number): string =>
      Array.from({ length: 50 }, (_, i) => `{"step":${i + 1},"loss":${5 - i / 20},"lr":${of(i + 1)}}\n`).join('');
    const beside = {
      ...world,
      'linear.jsonl': rates((step) => 0.1 * (1 - step / 50)),
      'fast.jsonl': rates((step) => 0.1 * Math.max(0, 1 - (2 * step) / 50)),
      'small.yaml': 'batch_size: 4\nnum_epochs: 2\n',
      'train.yaml': 'learning_rate: 0.1\nlr_scheduler_type: linear\nwarmup_steps: 0\nmax_steps: 50\n',
      'deepspeed.json': JSON.stringify({
        train_micro_batch_size_per_gpu: 1,
        zero_optimization: { stage: 2 },
        optimizer: { type: 'AdamW', params: { lr: 0.1 } },
      }),
    };
    const judged = async (...args: readonly string[]): Promise<readonly [number, readonly string[]]> => {
      const { code, stdout } = await runPv(['check', ...args], { files: beside });
      return [code, [...stdout.matchAll(/^(\S+-v1) on /gm)].map(([, name]) => name ?? '')];
    };

    it('judges them by the schedule if a config gives their peak', async () => {
      const all = ['training-stability-v1', 'training-record-v1', 'training-schedule-v1'];
      expect(await judged('linear.jsonl', '--with', 'train.yaml')).toEqual([exitCodes.ok, all]);
      expect(await judged('fast.jsonl', '--with', 'train.yaml')).toEqual([exitCodes.findings, all]);
      const { stdout } = await runPv(['check', 'linear.jsonl', '--with', 'train.yaml'], { files: beside });
      expect(stdout).toContain('\n1 data set: ');
    });

    it.each([
      ['there is no config', ['fast.jsonl']],
      ['the config gives no peak', ['fast.jsonl', '--with', 'small.yaml']],
      ["the config's warm-up has another shape", ['fast.jsonl', '--with', 'deepspeed.json']],
    ])('does not if %s', async (_, args) => {
      expect(await judged(...args)).toEqual([exitCodes.ok, ['training-stability-v1']]);
    });

    it('judges its steps by the config if it has no rates', async () => {
      const contracts = ['training-stability-v1', 'training-record-v1'];
      expect(await judged('log.jsonl', '--with', 'train.yaml')).toEqual([exitCodes.ok, contracts]);
      expect(await judged('log.jsonl', '--with', 'good.yaml')).toEqual([exitCodes.findings, contracts]);
    });
  });

  it('fails what the chosen contract finds', async () => {
    expect((await run('log.jsonl')).code).toBe(exitCodes.ok);
    const { code, stdout } = await run('spiky.jsonl');
    expect([code, /✗ STABLE-001 violated/.test(stdout)]).toEqual([exitCodes.findings, true]);
  });

  it.each(['training-config', 'training-config-kernel-v1', 'training-config-kernel-v1.yaml'])(
    'takes the contract that pv ships by the name %s',
    async (name) => {
      for (const args of [
        [name, 'good.yaml'],
        [name, '--data', 'good.yaml'],
        ['good.yaml', name],
      ])
        expect((await run(...args)).stdout).toContain('training-config-kernel-v1 on good.yaml (');
    },
  );

  it.each([
    [
      'accelerate.yaml',
      'compute_environment: LOCAL_MACHINE\ndistributed_type: FSDP\nnum_processes: 8\nmachine_rank: 0\n',
    ],
    ['ds.json', '{"zero_optimization": {"stage": 2}, "train_micro_batch_size_per_gpu": "auto"}'],
  ])('says first that %s decides nothing by itself, and what it goes with', async (path, text) => {
    const train = 'output_dir: x\nsave_strategy: "no"\nmax_steps: 600\nwarmup_steps: 10\n';
    const host = createMemoryHost({ ...world, [path]: text, 'train.yaml': train });
    const alone = await runPv(['check', path], { host });
    const [first, second = ''] = alone.stdout.split('\n');
    expect(first).toMatch(
      new RegExp(`^training-config-kernel-v1 on ${path} \\(\\w+\\): decides no obligation by itself$`),
    );
    expect([alone.code, (await runPv(['check', path, '--allow-unevaluated'], { host })).code]).toEqual([1, 1]);
    const command = second.split('pv ')[1]?.replace('FILE', 'train.yaml').split(' ') ?? [];
    expect(await runPv(command, { host })).toMatchObject({ code: 0 });
    const given = await runPv(['check', path, '--set', 'max_steps=600'], { host });
    expect(given.stdout).not.toContain('by itself');
  });

  it('tells contracts from data by what they hold, in folders too', async () => {
    const { stdout } = await run('steps-v1.yaml', 'good.yaml', 'configs');
    expect(stdout.match(/^steps-v1 on \S+/gm)).toEqual([
      'steps-v1 on good.yaml',
      'steps-v1 on configs/a.yaml',
      'steps-v1 on configs/b.yaml',
    ]);
  });

  it('says what is missing', async () => {
    expect(await run('steps-v1.yaml')).toMatchObject({
      code: exitCodes.usage,
      stderr: expect.stringContaining('there are no data to check'),
    });
    expect(await run('nowhere.yaml')).toMatchObject({
      code: exitCodes.usage,
      stderr: expect.stringContaining('PV-8001'),
    });
  });
});
