/**
 * Holds src/api/data/over-data.ts, src/api/data/run-diagnose.ts, src/cli/commands/diagnose.ts, src/cli/report-paint.ts,
 * src/data/report/diagnosis-markdown.ts, src/data/report/diagnosis-text.ts, src/data/report/diagnosis-words.ts.
 */
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/api/exit-code.ts';
import { runPv, type Ran } from '../support/memory-cli.ts';

const contract = [
  'metadata: { version: "1.0.0", description: d, references: [r] }',
  'data: { kind: log, domain: "step ∈ F64^T, loss ∈ F64_ext^T, limit ∈ ℝ", inputs: { limit: { default: "10" } } }',
  'proof_obligations:',
  '  - id: RUN-001',
  '    type: bound',
  '    property: losses stay below the limit',
  '    formal: "is_finite(loss_t) ⟹ loss_t ≤ limit"',
  '    if_fails: the learning rate is too high',
  '    diagnosis: { caused_by: [BLOCK-001] }',
  '  - { id: STEP-001, type: monotonicity, property: steps increase, formal: "∀ t ∈ [1, T): step_t > step_{t-1}" }',
  '',
].join('\n');

const blocks = [
  'metadata: { version: "1.0.0", description: d, references: [r] }',
  'data: { kind: log, domain: "size ∈ ℤ^B, room ∈ ℤ^B" }',
  'proof_obligations:',
  '  - { id: BLOCK-001, type: bound, property: room suffices, formal: "room_b ≥ size_b", diagnosis: { granularity: block, nature: static } }',
  '',
].join('\n');

const files = {
  'contracts/run-v1.yaml': contract.replace('[BLOCK-001]', '[blocks-v1/BLOCK-001]'),
  'contracts/blocks-v1.yaml': blocks,
  'healthy/run.jsonl': '{"step": 1, "loss": 3}\n{"step": 2, "loss": 2}\n',
  'healthy/blocks.jsonl': '{"name": "block0", "size": 4, "room": 4}\n',
  'failed/run.jsonl': '{"step": 1, "loss": 3}\n{"step": 2, "loss": 20}\n',
  'failed/blocks.jsonl': '{"name": "block0", "size": 4, "room": 4}\n{"name": "block1|a", "size": 8, "room": 4}\n',
  'alone/run.jsonl': '{"step": 1, "loss": 3}\n{"step": 2, "loss": 20}\n',
  'noise/run.jsonl': '{"step": 1, "loss": 3}\n{"step": 2, "loss": 2}\n',
  'noise/tokenizer.json': '{"vocabulary": {"a": {"b": 1}}}\n',
  'broken/run.jsonl': '{"step": 1, "loss": 3}\nnot a record\n{"step": 2, "loss": 2}\n',
  'mapped/run.jsonl': '{"step": 1, "nll": 3}\n{"step": 2, "nll": 20}\n',
  'mapped/blocks.jsonl': '{"name": "block0", "size": 4, "room": 4}\n',
  'cut/run.jsonl': '{"step": 1, "loss": 3}\n{"step": 2, "loss": 20}\n{"step": 3, "lo',
  'empty/train.yaml': 'batch_size: 4\nlearning_rate: 1.0e-4\n',
};

async function diagnose(...args: readonly string[]): Promise<Ran> {
  return runPv(['diagnose', ...args], { files });
}

describe('pv diagnose', () => {
  it('finds nothing in a healthy run, and says how much was evaluated', async () => {
    const ran = await diagnose('healthy');
    expect(ran.stdout).toContain(
      'healthy: 2 files read, 2 of 2 contracts fit, 3 of 3 obligations evaluated, 0 violated',
    );
    expect(ran.stdout).toContain('No violated obligation among those evaluated.');
    expect([ran.code, ran.stderr]).toEqual([exitCodes.ok, '']);
  });

  it('names the contracts that come with pv by a path without an empty part', async () => {
    const ran = await runPv(['diagnose', 'failed'], {
      files: {
        '/pv/contracts/run-v1.yaml': files['contracts/run-v1.yaml'],
        '/pv/contracts/blocks-v1.yaml': blocks,
        'failed/run.jsonl': files['failed/run.jsonl'],
        'failed/blocks.jsonl': files['failed/blocks.jsonl'],
      },
    });
    expect(ran.stdout).toContain('pv check /pv/contracts/blocks-v1.yaml --data failed/blocks.jsonl');
  });

  it('leads from the symptom to what prevents it, with rows, words and the command', async () => {
    const ran = await diagnose('failed');
    expect(ran.stdout).toContain('First symptom, at step 2: run-v1/RUN-001');
    expect(ran.stdout).toContain('1. losses stay below the limit: violated at step 2 (run-v1/RUN-001)');
    expect(ran.stdout).toContain('at failed/run.jsonl:2  loss = 20');
    expect(ran.stdout).toContain('2. room suffices: violated before the run (blocks-v1/BLOCK-001)');
    expect(ran.stdout).toContain('name = block1|a');
    expect(ran.stdout).toContain('brick: block, local (1 of 2 blocks fails), static');
    expect(ran.stdout).toContain('prevented by blocks-v1/BLOCK-001 (contracts/blocks-v1.yaml:4)');
    expect(ran.stdout).toContain('pv check contracts/blocks-v1.yaml --data failed/blocks.jsonl');
    expect(ran.code).toBe(exitCodes.findings);
  });

  it('says what would decide it when a file is missing', async () => {
    const ran = await diagnose('alone');
    expect(ran.stdout).toContain('why: not decided, since 1 cause could not be evaluated');
    expect(ran.stdout).toContain('? blocks-v1/BLOCK-001 (room suffices): needs room, size');
    expect(ran.stdout).toContain('blocks-v1: 1 of 1 not evaluated; no file of the run fits; needs room and size');
    expect(ran.code).toBe(exitCodes.findings);
  });

  it('takes a single file for a run', async () => {
    expect((await diagnose('healthy/run.jsonl')).code).toBe(exitCodes.ok);
  });

  it('passes over files that are not data of a run, and says so', async () => {
    const ran = await diagnose('noise');
    expect(ran.stdout).toContain('not read: noise/tokenizer.json');
    expect([ran.code, ran.stderr]).toEqual([exitCodes.ok, '']);
  });

  it('does not call a run healthy whose files are broken', async () => {
    const ran = await diagnose('broken');
    expect(ran.stderr).toContain('PV-7019');
    expect(ran.code).toBe(exitCodes.findings);
  });

  it('does not call a run healthy when nothing could be evaluated', async () => {
    const ran = await diagnose('empty');
    expect(ran.stdout).toContain('Nothing could be evaluated, so nothing is confirmed.');
    expect(ran.code).toBe(exitCodes.findings);
  });

  it('takes settings, and refuses those that no contract reads', async () => {
    expect((await diagnose('healthy', '--set', 'limit=1')).code).toBe(exitCodes.findings);
    const ran = await diagnose('healthy', '--set', 'limits=1');
    expect(ran.stderr).toContain('PV-9004');
    expect(ran.code).toBe(exitCodes.usage);
  });

  it.each([
    ['no run', ['nowhere'], 'PV-8001'],
    ['no contract', ['healthy', '--contracts', 'nowhere.yaml'], 'PV-8001'],
  ])('refuses %s', async (_, args, code) => {
    const ran = await diagnose(...args);
    expect(ran.stderr).toContain(code);
    expect(ran.code).toBe(exitCodes.usage);
  });

  it('evaluates nothing with a contract that is wrong', async () => {
    const wrong = { ...files, 'contracts/blocks-v1.yaml': blocks.replace('room_b', 'rooms_b') };
    const ran = await runPv(['diagnose', 'healthy'], { files: wrong });
    expect(ran.code).toBe(exitCodes.findings);
  });

  it('reads no contract that is about kernels', async () => {
    const kernel = 'metadata: { version: "1.0.0", description: d, references: [r] }\nequations: [this, is, wrong\n';
    const ran = await runPv(['diagnose', 'healthy'], { files: { ...files, 'contracts/kernel-v1.yaml': kernel } });
    expect([ran.code, ran.stderr]).toEqual([exitCodes.ok, '']);
  });

  it.each(['"data":', "'data' :", 'data:'])('knows a contract over data by %s', async (key) => {
    const { 'contracts/blocks-v1.yaml': text, ...rest } = files;
    const world = { ...rest, 'contracts/blocks-v1.yaml': text.replace('\ndata:', `\n${key}`) };
    const ran = await runPv(['diagnose', 'failed'], { files: world });
    expect(ran.stdout).toContain('prevented by blocks-v1/BLOCK-001');
  });

  it('takes the contracts of pv where a project has none over data', async () => {
    const { 'contracts/run-v1.yaml': run, 'contracts/blocks-v1.yaml': _, ...runs } = files;
    const world = { ...runs, '/pv/contracts/run-v1.yaml': run.replace('blocks-v1/BLOCK-001', 'STEP-001') };
    const ran = await runPv(['diagnose', 'failed'], { files: world });
    expect(ran.stdout).toContain('gap: no contract covers why.');
    expect(ran.stdout).toContain('- not run-v1/STEP-001 (steps increase): it holds');
    expect(ran.code).toBe(exitCodes.findings);
  });

  it('takes a value from the key that a mapping names, in whatever file has it', async () => {
    const ran = await diagnose('mapped', '--map', 'loss=nll');
    expect(ran.stdout).toContain('at mapped/run.jsonl:2  loss = 20');
    expect([ran.code, ran.stderr]).toEqual([exitCodes.findings, '']);
  });

  it('diagnoses nothing when a mapping names a key that no file has', async () => {
    const ran = await diagnose('mapped', '--map', 'loss=nlll');
    expect(ran.stderr).toContain('error[PV-7030]');
    expect(ran.stderr).toContain("Did you mean 'nll'?");
    expect([ran.stdout, ran.code]).toEqual(['', exitCodes.usage]);
  });

  it.each(['json', 'sarif'])('says in %s what is wrong with a file', async (format) => {
    const ran = await diagnose('cut', '--format', format);
    expect([ran.stdout.includes('PV-7020'), ran.stderr.includes('PV-7020'), ran.code]).toEqual([
      true,
      true,
      exitCodes.findings,
    ]);
  });

  it('prints SARIF: each violation once, with its row and what it follows from', async () => {
    const { stdout, code } = await diagnose('failed', '--format', 'sarif');
    const { results } = JSON.parse(stdout).runs[0];
    expect(results).toMatchObject([
      {
        ruleId: 'PV-9001',
        message: { text: expect.stringContaining('blocks-v1/BLOCK-001: room suffices') },
        locations: [
          { physicalLocation: { artifactLocation: { uri: 'failed/blocks.jsonl' }, region: { startLine: 2 } } },
        ],
      },
      {
        ruleId: 'PV-9001',
        message: { text: expect.stringContaining('(a consequence of blocks-v1/BLOCK-001)') },
        locations: [{ physicalLocation: { artifactLocation: { uri: 'failed/run.jsonl' }, region: { startLine: 2 } } }],
      },
    ]);
    expect(code).toBe(exitCodes.findings);
    const healthy = await diagnose('healthy', '--format', 'sarif');
    expect([JSON.parse(healthy.stdout).runs[0].results, healthy.code]).toEqual([[], exitCodes.ok]);
  });

  it('prints JSON and Markdown', async () => {
    const json = JSON.parse((await diagnose('failed', '--format', 'json')).stdout);
    expect(json).toMatchObject({
      schema: 'pv.diagnosis/1',
      firstSymptom: { id: 'RUN-001' },
      violations: [{ id: 'BLOCK-001' }, { id: 'RUN-001' }],
      findings: [],
    });
    const { stdout } = await diagnose('failed', '--format', 'markdown');
    expect(stdout).toContain('| why | finding | brick boundary |');
    expect(stdout).toContain('Why does it not hold at step 2: losses stay below the limit?');
    // Words of a file must not break the table.
    expect(stdout).not.toContain('block1|a');
  });
});
