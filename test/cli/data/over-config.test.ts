/**
 * Contracts without a section `data` about the numbers of a config.
 *
 * Holds src/api/data/data-contracts.ts, src/api/data/over-config.ts, src/api/data/read-for.ts.
 */
import { describe, expect, test } from 'vitest';
import { exitCodes } from '../../../src/api/exit-code.ts';
import { runPv } from '../../support/memory-cli.ts';

const config = `data: { batch_size: 4, seq_len: 1024 }
optimizer: { lr: 3e-4 }
training: { gradient_accumulation: 1, epochs: 1, warmup_steps: 10, max_steps: 50, grad_clip: 1 }
lr_at: 3
losses: 3
`;

const contract = (equations: string, claims: string = ''): string => `metadata: { version: "1.0.0", description: Steps }
equations:
${equations}
${claims === '' ? '' : `proof_obligations:\n${claims}`}`;

const batch = (domain: string): string => `  effective_batch:
    formula: "B = micro_batch * accum * seq_len"
    domain: |
${domain
  .split('\n')
  .map((line) => `      ${line}`)
  .join('\n')}
    invariants: ["B >= 65536"]`;

const glossary = `micro_batch: sequences per device (config.data.batch_size)
accum: micro-batches per step (config.training.gradient_accumulation)
seq_len: tokens per sequence`;

interface Checked {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const check = (text: string, ...args: readonly string[]): Promise<Checked> =>
  runPv(['check', 'own-v1.yaml', '--data', 'train.yaml', ...args], {
    files: { 'own-v1.yaml': text, 'train.yaml': config },
  });

describe('a contract about numbers that have names', () => {
  test('reads a config of no known trainer by the keys that its glossary names', async () => {
    const steps = contract(`  steps:
    formula: "steps = ceil(n / (b * a))"
    domain: "n: examples (config.data.examples), b: batch (config.train.batch), a: accumulation (config.train.accum)"
    invariants: ["steps >= 100"]`);
    const files = { 'own-v1.yaml': steps, 'own.yaml': 'data: { examples: 5000 }\ntrain: { batch: 8, accum: 16 }\n' };
    const { code, stdout, stderr } = await runPv(['check', 'own-v1.yaml', '--data', 'own.yaml'], { files });
    expect(stdout).toContain('steps = ceil(n / (b * a)) = ceil(5000 / (8 * 16)) = 40');
    expect(stdout + stderr).not.toMatch(/PV-70(?:10|40)/u);
    expect(code).toBe(exitCodes.findings);
    const other = { ...files, 'own.yaml': 'menu: { soup: 3 }\n' };
    const refused = await runPv(['check', 'own-v1.yaml', '--data', 'own.yaml'], { files: other });
    expect(refused).toMatchObject({ code: exitCodes.usage, stderr: expect.stringContaining('PV-7010') as string });
  });

  const offset = (more = ''): string =>
    contract(`  s: { formula: "s = 2 * n", domain: "n: offset (train.max_steps)${more}", invariants: ["s < 0"] }`);
  const judged = (text: string, data: string, ...args: readonly string[]): Promise<Checked> =>
    runPv(['check', 'own-v1.yaml', '--data', 'own.yaml', ...args], {
      files: { 'own-v1.yaml': text, 'own.yaml': data },
    });

  test.each([
    ['means to trainers that nothing is set', 'train: {max_steps: -1, other: 4}', 'satisfied: s < 0'],
    ['is a second one for what trainers read from another', 'max_steps: 5\ntrain: {max_steps: -3}', 'satisfied: s < 0'],
    ['is in use', 'train: {max_steps: 7}', 'here:    14 < 0'],
    ['is a word', 'train: {max_steps: auto}', "n is 'auto', and a whole number is needed"],
  ])('reads the key of its glossary where the value %s', async (_, data, shown) => {
    const { stdout } = await judged(offset(), data);
    expect(stdout).toContain(shown);
    expect(stdout).not.toContain('not in the data: n');
  });

  test('leaves what trainers take for unset unset where the contract names what trainers read', async () => {
    const named = contract('  s: { formula: "s = 2 * max_steps", domain: "max_steps: length", invariants: ["s < 0"] }');
    const { stdout } = await judged(named, 'max_steps: -1\nbatch_size: 4\n');
    expect(stdout).toContain('not in the data: max_steps');
  });

  test('names its keys where the file has none of them', async () => {
    const { code, stderr } = await judged(offset(), 'trains: {max_steps: 5}\n');
    expect(stderr).toContain(
      'error[PV-7010]: The file has none of the keys that the contract reads (train.max_steps): its keys are trains.max_steps',
    );
    expect(stderr).toContain('train.max_steps may be trains.max_steps: --map train.max_steps=trains.max_steps.');
    expect(code).toBe(exitCodes.usage);
    for (const name of ['train.max_steps', 'n'])
      expect(await judged(offset(), 'menu: { soup: -3 }', '--map', `${name}=menu.soup`)).toMatchObject({
        code: exitCodes.ok,
      });
    const usual = contract(
      '  s: { formula: "s = 2 * batch_size", domain: "batch_size: examples", invariants: ["s > 0"] }',
    );
    expect((await judged(usual, 'menu: { soup: 3 }')).stderr).toContain('No data format fits the file');
  });

  test('reports a name of the vocabulary that the trainer does not read, though the contract has it', async () => {
    const files = {
      'c-v1.yaml': contract('  s: { formula: "s = 2 * gradient_accumulation", domain: "", invariants: ["s > 0"] }'),
      'hf.yaml':
        'output_dir: out\nper_device_train_batch_size: 8\nnum_train_epochs: 3\nlearning_rate: 1e-4\nsave_strategy: epoch\nlr_scheduler_type: cosine\ngradient_accumulation: 16\n',
    };
    const { stdout } = await runPv(['check', 'c-v1.yaml', '--data', 'hf.yaml'], { files });
    expect(stdout).toMatch(/^! PV-7040 hf\.yaml:7:24: Nothing reads 'gradient_accumulation'/u);
  });

  test('takes from a config of a known trainer what no trainer reads, such as the size of the data', async () => {
    const files = {
      'c-v1.yaml': contract('  s: { formula: "s = 2 * num_sequences", domain: "", invariants: ["s > 0"] }'),
      'hf.yaml':
        'output_dir: out\nper_device_train_batch_size: 8\nnum_train_epochs: 3\nlearning_rate: 1e-4\nsave_strategy: epoch\nlr_scheduler_type: cosine\nnum_sequences: 16\n',
    };
    expect((await runPv(['check', 'c-v1.yaml', '--data', 'hf.yaml'], { files })).code).toBe(exitCodes.ok);
  });

  test.each([
    [', e: epochs (training.epochs)', 's = 1', exitCodes.ok],
    [', e: epochs (training.epochs)', 's > 2.5', exitCodes.findings],
    ['', 's > 2.5', exitCodes.ok],
  ])('takes e for what a glossary says it is, and otherwise for 2.718…: "%s", %s', async (entry, claim, code) => {
    const domain = `n: runs (training.gradient_accumulation)${entry}`;
    const text = contract(`  s: { formula: "s = e * n", domain: "${domain}", invariants: ["${claim}"] }`);
    expect((await check(text)).code).toBe(code);
  });

  test('says nothing where an equation divides by zero', async () => {
    const perStep = (formula: string): string =>
      contract(`  per_step:
    formula: "${formula}"
    domain: "accum: micro-batches per step (config.training.gradient_accumulation)"
    invariants: ["y > 0"]`);
    const divided = perStep('y = 4096 / accum');
    expect(await check(divided)).toMatchObject({ code: exitCodes.ok });
    const { code, stdout } = await check(divided, '--set', 'accum=0');
    expect(code).toBe(exitCodes.findings);
    expect(stdout).not.toContain('✓');
    expect(stdout).toContain('PV-9003: accum must not be 0');
    const guarded = perStep('y = 4096 / accum if accum > 0 else 1');
    expect(await check(guarded, '--set', 'accum=0')).toMatchObject({ code: exitCodes.ok });
  });

  test('is judged on the keys that its glossary names, and on names of the vocabulary', async () => {
    const { code, stdout, stderr } = await check(contract(batch(glossary)));
    expect(stderr).toContain(
      'pv: own-v1.yaml takes micro_batch from data.batch_size, accum from training.gradient_accumulation',
    );
    expect(stdout).toContain('B = micro_batch * accum * seq_len = 4 * 1 * 1024 = 4096');
    expect(stdout).toContain('✗ effective_batch.invariant-1 violated: B >= 65536');
    expect(stdout).toContain('data.batch_size: 4');
    expect(code).toBe(exitCodes.findings);
    const enough = await check(contract(batch(glossary)), '--set', 'accum=16');
    expect(enough.stdout).toContain('✓ effective_batch.invariant-1 satisfied');
    expect(enough.code).toBe(exitCodes.ok);
  });

  test.each([
    [
      'on one line',
      'micro_batch: per device (config.data.batch_size), accum: steps (config.training.gradient_accumulation)',
    ],
    ['without words', 'micro_batch: (config.data.batch_size)\naccum: (config.training.gradient_accumulation)'],
    [
      'with conditions after the key',
      'micro_batch: per device (config.data.batch_size), micro_batch > 0\naccum: (config.training.gradient_accumulation), at least 1',
    ],
  ])('reads a glossary %s', async (_, domain) => {
    const { stdout, stderr } = await check(contract(batch(domain)));
    expect(stderr).toContain('takes micro_batch from data.batch_size, accum from training.gradient_accumulation');
    expect(stdout).toContain('B = micro_batch * accum * seq_len = 4 * 1 * 1024 = 4096');
  });

  test('reads an element of a list', async () => {
    const width =
      '  w: { formula: "w2 = 2 * width", domain: "width: (config.layers[1].width)", invariants: ["w2 = 14"] }';
    const files = { 'own-v1.yaml': contract(width), 'train.yaml': `${config}layers: [{ width: 5 }, { width: 7 }]\n` };
    const { stdout, stderr } = await runPv(['check', 'own-v1.yaml', '--data', 'train.yaml'], { files });
    expect(stderr).toContain('takes width from layers[1].width');
    expect(stdout).toContain('✓ w.invariant-1 satisfied');
  });

  test('of two keys for one name takes neither', async () => {
    const either = await check(contract(batch('micro_batch: per device (config.data.batch_size) or (config.lr_at)')));
    expect(either.stdout).toContain('not in the data: micro_batch (per device)');
    const twice = `${batch('micro_batch: (config.data.batch_size)\naccum: (config.training.epochs)')}
  other: { formula: "O = micro_batch", domain: "micro_batch: (config.lr_at)", invariants: ["O = 4"] }`;
    const { stdout } = await check(contract(twice));
    expect(stdout).toContain('? effective_batch.invariant-1 undetermined');
    expect(stdout).toContain('? other.invariant-1 undetermined');
  });

  test('takes a name that is also the key of its equation', async () => {
    const rate = `  lr:
    formula: "scaled = lr * 2"
    domain: "lr: learning rate (config.optimizer.lr)"
    invariants: ["scaled <= 1e-3", "scaled = 0.0006"]`;
    const { code, stdout, stderr } = await check(contract(rate));
    expect(stderr).toContain('takes lr from optimizer.lr');
    expect(stdout).toContain('2 of 2 obligations evaluated, 0 violated');
    expect(code).toBe(exitCodes.ok);
  });

  test('asks for what the file does not give, by the meaning of the glossary', async () => {
    const { code, stdout } = await check(contract(batch('micro_batch: sequences per device')));
    expect(stdout).toContain('not in the data: micro_batch (sequences per device), needed by 1 obligation');
    expect(stdout).toContain('give them with --set micro_batch=… --set accum=…');
    expect(code).toBe(exitCodes.findings);
  });

  test('takes usual spellings of a name, and equations that use each other', async () => {
    const steps = `  steps_per_epoch:
    formula: "steps_per_epoch = floor(num_sequences / (micro_batch_size * grad_accum_steps))"
    domain: "num_sequences: sequences in the dataset"
  total:
    formula: "total_steps_of_run = num_epochs * steps_per_epoch"`;
    const claims = `  - { id: C-1, type: bound, property: enough, formal: "total_steps_of_run >= max_steps" }
  - { id: C-2, type: bound, property: warm, formal: "warmup_steps / max_steps <= 0.1" }`;
    const { stdout } = await check(contract(steps, claims), '--set', 'num_sequences=100');
    expect(stdout).toContain('✗ C-1 violated');
    expect(stdout).toContain(
      'floor(num_sequences / (micro_batch_size * grad_accum_steps)) = floor(100 / (4 * 1)) = 25',
    );
    expect(stdout).toContain('✗ C-2 violated');
  });
});

describe('nothing else is taken for a number of the config', () => {
  const one = '  one: { formula: "one = max_steps / warmup_steps" }';

  test.each([
    ['a function', 'lr_at(0) < 1e-10'],
    ['a vector', 'losses[0] < 20'],
    ['the tolerance of a claim', '|warmup_steps - 10| < epsilon'],
    ['what a claim compares with words', 'max_steps is large enough'],
  ])('%s', async (_, formal) => {
    const claim = `  - { id: C-1, type: bound, property: p, formal: "${formal}" }`;
    const { code, stdout } = await check(contract(one, claim));
    expect(stdout).not.toMatch(/C-1 (?:satisfied|violated)/u);
    expect(code).toBe(exitCodes.findings);
  });

  test('a formula that is understood in part decides nothing', async () => {
    const least = '  least: { formula: "B_min = 4 * 1024 when the model is large" }';
    const claim = '  - { id: C-1, type: bound, property: p, formal: "max_steps <= B_min" }';
    const { code, stdout } = await check(contract(least, claim));
    expect(stdout).toContain('? C-1 undetermined');
    expect(code).toBe(exitCodes.findings);
  });

  test.each([
    ['tensors', '  soft: { formula: "s(x)_i = x_i / Σ_j x_j", domain: "x ∈ ℝ^n, x_i > 0" }'],
    ['words', '  soft: { formula: "as large as possible" }'],
  ])('a contract about %s is refused', async (_, equation) => {
    const { code, stderr } = await check(contract(equation));
    expect(stderr).toContain('PV-9006');
    expect(stderr).toContain('help: pv audit own-v1.yaml checks it');
    expect(code).toBe(exitCodes.usage);
  });
});
