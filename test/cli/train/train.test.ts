/**
 * `pv train` and `pv certificate verify` on files. Holds src/cli/train/run-train.ts, src/cli/train/run-verify.ts,
 * src/cli/train/run-folder.ts, src/cli/train/run-compact.ts, src/cli/train/run-show.ts, src/cli/train/show-text.ts, src/cli/train/summary.ts, src/cli/train/read-run-file.ts.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createMemoryHost, type MemoryHost } from '../../../src/host/memory-host.ts';
import { document } from '../../training/run/small-run.ts';
import { runPv } from '../../support/memory-cli.ts';

const small = JSON.stringify(document, null, 1);

async function trained(
  text = small,
): Promise<{ readonly host: MemoryHost; readonly ran: Awaited<ReturnType<typeof runPv>> }> {
  const host = createMemoryHost({ 'run.yaml': text });
  return { host, ran: await runPv(['train', 'run.yaml', '--out', 'run'], { host }) };
}

const verify = (host: MemoryHost, ...more: readonly string[]) =>
  runPv(['certificate', 'verify', 'run', ...more], { host });

/** Changes one byte of a file. */
function spoil(host: MemoryHost, path: string, place: number): void {
  const bytes = host.files.get(`/project/${path}`)?.slice();
  if (bytes === undefined) throw new Error(`${path} was not written`);
  const at = place < 0 ? bytes.length + place : place;
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  host.files.set(`/project/${path}`, bytes);
}

describe('pv train', () => {
  it('trains, reports the refusal, and writes files that verify at every level', async () => {
    const { host, ran } = await trained();
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('Trained: 24 steps: 23 committed, 1 refused\n');
    expect(ran.stderr).toMatch(
      /^step 9 refused: gradient norm is \d+(\.\d+)?, must be at most 5 \(LossStabilityBound\)$/m,
    );
    expect(ran.stdout).toContain('Replay it: pv certificate verify run --level full');
    for (const [level, line] of [
      ['files', 'VERIFIED (files): '],
      ['ledger', 'VERIFIED (ledger): '],
      ['spot', 'VERIFIED (spot): 12 of 24 steps were replayed'],
      ['full', 'VERIFIED (full): all steps were replayed, bit for bit\n'],
    ] as const) {
      const verdict = await verify(host, '--level', level);
      expect(verdict).toMatchObject({ code: 0, stderr: '' });
      expect(verdict.stdout).toContain(line);
    }
  });

  it('trains the documented example and refuses its drill', async () => {
    const example = readFileSync(new URL('../../../examples/train/gnn.yaml', import.meta.url), 'utf8');
    const { ran } = await trained(example);
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain('Trained: 200 steps: 199 committed, 1 refused\n');
    expect(ran.stdout).toContain('step 150 refused: gradient norm is ');
  });

  it('writes only into a new or empty folder', async () => {
    const { host } = await trained();
    const before = host.files.get('/project/run/ledger.jsonl');
    const again = await runPv(['train', 'run.yaml', '--out', 'run'], { host });
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('run already contains');
    expect(host.files.get('/project/run/ledger.jsonl')).toBe(before);
    expect((await runPv(['train', 'run.yaml', '--out', 'run.yaml'], { host })).stderr).toContain(
      'run.yaml is not a folder',
    );
    expect((await runPv(['train', 'run.yaml'], { host })).code).toBe(2);
  });

  it('stops with exit code 1 after refusals in a row, and certifies the steps taken', async () => {
    const { host, ran } = await trained(small.replace('"max_norm": 20', '"max_norm": 0.5'));
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain('Stopped (refusals): 10 steps: 0 committed, 10 refused\n');
    expect(ran.stdout).toContain('no step was committed');
    const verdict = await verify(host, '--level', 'full');
    expect(verdict.code).toBe(0);
    expect(verdict.stdout.split('\n')[0]).toBe(
      'VERIFIED (full): all steps were replayed, bit for bit; the run ended after 10 of the 24 steps that its run file asks for; no step changed the weights',
    );
  });

  it('stops when interrupted, and certifies the steps taken', async () => {
    const host = createMemoryHost({ 'run.yaml': small });
    const ran = await runPv(['train', 'run.yaml', '--out', 'run'], { host, signal: AbortSignal.abort() });
    expect(ran.code).toBe(130);
    expect(ran.stdout).toContain('Stopped (interrupted): 1 step: 1 committed');
    expect((await verify(host, '--level', 'full')).code).toBe(0);
  });

  it.each([
    ['an unknown key', '"seed": 3', '"sead": 3', /PV-8405.*run\.yaml:3/s, 'run.sead is unknown'],
    [
      'a value of another type',
      '"steps": 24',
      '"steps": "many"',
      /PV-8405.*run\.yaml:4/s,
      'run.steps is not a whole number',
    ],
    ['a size out of range', '"hidden": [\n   6\n  ]', '"hidden": [9999]', /PV-8405/, 'run.model.hidden[0] is 9999'],
    ['an unknown model', '"gnn"', '"rnn"', /PV-8405/, 'run.model.kind'],
    [
      'an unknown invariant',
      'WeightNormBound',
      'WeightBound',
      /PV-8405/,
      'run.invariants[1].WeightBound is not one of',
    ],
    ['a negative rate', '"learning_rate": 0.3', '"learning_rate": -0.3', /PV-8403/, 'learningRate is -0.3'],
  ])('reports %s with its position', async (_, from, to, code, message) => {
    expect(small).toContain(from);
    const { host, ran } = await trained(small.replace(from, to));
    expect(ran.code).toBe(2);
    expect(ran.stderr).toMatch(code);
    expect(ran.stderr).toContain(message);
    expect([...host.files.keys()].filter((path) => path.startsWith('/project/run/'))).toEqual([]);
  });
});

it('refuses a run that would not fit into memory', async () => {
  const model = { kind: 'gnn', hidden: [1024, 1024] };
  const data = {
    kind: 'planted_graph',
    nodes: 100_000,
    classes: 3,
    features: 4,
    degree: 3,
    homophily: 0.9,
    labelled: 1,
  };
  const { ran } = await trained(JSON.stringify({ ...document, model, data }));
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain('run.model.hidden makes 205500000 numbers for all nodes');
});

describe('pv train show', () => {
  it('shows losses, measured values and the refusal', async () => {
    const { host } = await trained();
    const shown = await runPv(['train', 'show', 'run'], { host });
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toContain('run: 24 steps: 23 committed, 1 refused, 0 overridden\n');
    expect(shown.stdout).toMatch(/^ {2}loss {2}[\d.]+ [▁-█]{23} [\d.]+$/m);
    expect(shown.stdout).toMatch(/^ {2}WeightNormBound conv1 +[\d.]+ +[\d.]+ +[\d.]+ +[\d.]+ +≤ 20$/m);
    expect(shown.stdout).toContain('step 9 refused: gradient norm is ');
  });

  it.each([0, 1, 2, 57, 400])('shows the complete steps of a run killed %i bytes before its end', async (bytes) => {
    const { host } = await trained();
    const ledger = host.files.get('/project/run/ledger.jsonl') ?? new Uint8Array();
    const left = ledger.slice(0, ledger.length - bytes);
    host.files.set('/project/run/ledger.jsonl', left);
    host.files.delete('/project/run/certificate.json');
    const shown = await runPv(['train', 'show', 'run'], { host });
    expect(shown.code).toBe(0);
    const whole = new TextDecoder().decode(left).split('\n').length - 2;
    expect(shown.stdout).toContain(`run: ${whole} steps: `);
    expect(shown.stdout).toContain('no certificate: the run did not finish');
    expect(shown.stdout.includes('the last line is truncated')).toBe(left.at(-1) !== 10);
  });

  it('says that a compacted ledger has too few lines to show', async () => {
    const { host } = await trained();
    await runPv(['certificate', 'compact', 'run'], { host });
    host.files.delete('/project/run/ledger.jsonl');
    const shown = await runPv(['train', 'show', 'run'], { host });
    expect(shown).toMatchObject({ code: 2, stdout: '' });
    expect(shown.stderr).toMatch(/^pv: run: the ledger was compacted, and only \d+ lines of 25 are left/);
  });

  it('reports a damaged ledger with exit code 1, and a missing one with 2', async () => {
    const { host } = await trained();
    spoil(host, 'run/ledger.jsonl', 700);
    expect(await runPv(['train', 'show', 'run'], { host })).toMatchObject({ code: 1, stdout: '' });
    expect((await runPv(['train', 'show', 'nowhere'], { host })).code).toBe(2);
    expect((await runPv(['train', 'show'], { host })).code).toBe(2);
  });
});

describe('pv certificate verify', () => {
  it.each([
    ['weights.safetensors', -1, 'PV-8411'],
    ['ledger.jsonl', 400, 'PV-84'],
    ['certificate.json', 40, 'PV-84'],
  ])('does not verify a changed %s', async (file, place, code) => {
    const { host } = await trained();
    spoil(host, `run/${file}`, place);
    const verdict = await verify(host, '--level', 'full');
    expect(verdict.code).toBe(1);
    expect(verdict.stdout).toMatch(/^NOT VERIFIED \(requested full, reached (nothing|files|ledger)\)\n/);
    expect(verdict.stdout).toContain(code);
  });

  it('shows which bounds applied, failures in the warm-up, and the absence of invariants', async () => {
    const { host } = await trained();
    expect((await verify(host)).stdout).toContain(
      '  WeightNormBound (exact), checked at 23 steps: max_norm 20, min_norm 0.01\n',
    );
    const warm = await trained(small.replace('"steps": 24', '"steps": 24, "warmup_steps": 24'));
    const warmed = (await verify(warm.host)).stdout;
    expect(warmed).toMatch(/24 committed \(\d+ of them failed in the warm-up\), 0 refused/);
    expect(warmed.split('\n')[0]).toMatch(/; \d+ of the 24 steps that changed the weights broke an invariant$/);
    const free = await trained(JSON.stringify({ ...document, invariants: [] }));
    const unbound = (await verify(free.host, '--level', 'full')).stdout;
    expect(unbound.split('\n')[0]).toMatch(/^VERIFIED \(full\): .*; no invariant was configured$/);
    const json = await verify(free.host, '--json');
    expect(JSON.parse(json.stdout).exceptions).toEqual(['no invariant was configured']);
  });

  it('exits with 2 if a file is missing', async () => {
    const { host } = await trained();
    host.files.delete('/project/run/ledger.jsonl');
    const verdict = await verify(host);
    expect(verdict).toMatchObject({ code: 2, stdout: '' });
    expect(verdict.stderr).toContain('run/ledger.jsonl');
  });

  it('verifies a run with a compacted ledger, by its proofs and by a replay', async () => {
    const { host } = await trained();
    const compact = await runPv(['certificate', 'compact', 'run'], { host });
    expect(compact).toMatchObject({ code: 0, stderr: '' });
    expect(compact.stdout).toMatch(/^run\/ledger\.compacted\.json: 3 lines of 25 kept, in \d+ bytes instead of \d+\n$/);
    expect((await runPv(['certificate', 'compact', 'run'], { host })).code).toBe(2);
    host.files.delete('/project/run/ledger.jsonl');
    const ledger = await verify(host);
    expect(ledger.code).toBe(1);
    expect(ledger.stdout).toMatch(/^NOT VERIFIED \(requested ledger, reached files\)\n/);
    expect(ledger.stdout).toContain('3 of 25 lines are left, each with a proof that it belongs to the ledger');
    expect((await verify(host, '--level', 'full')).stdout).toMatch(/^VERIFIED \(full\)/);
    spoil(host, 'run/ledger.compacted.json', -40);
    expect((await verify(host, '--level', 'full')).stdout).toContain('PV-8416');
  });

  it('compacts only the ledger of the certificate', async () => {
    const { host } = await trained();
    const other = await trained(small.replace('"seed": 3', '"seed": 4'));
    host.files.set('/project/run/ledger.jsonl', other.host.files.get('/project/run/ledger.jsonl') ?? new Uint8Array());
    const compact = await runPv(['certificate', 'compact', 'run'], { host });
    expect(compact.code).toBe(1);
    expect(compact.stderr).toContain('PV-8410');
  });

  it('requires the signatures of the given keys', async () => {
    const host = createMemoryHost({ 'run.yaml': small });
    for (const name of ['alice', 'bob']) await runPv(['trace', 'keygen', `example.org/${name}`], { host });
    const ran = await runPv(['train', 'run.yaml', '--out', 'run', '--key', 'alice.key'], { host });
    expect(ran.code).toBe(0);
    const good = await verify(host, '--key', 'alice.pub');
    expect(good.code).toBe(0);
    expect(good.stdout).toMatch(/; signed by example\.org\/alice\+[0-9a-f]{8}$/m);
    const other = await verify(host, '--key', 'alice.pub', '--key', 'bob.pub');
    expect(other.code).toBe(1);
    expect(other.stdout).toContain('PV-8414');
    const envelope = host.files.get('/project/run/training.intoto.json');
    const again = await trained(small.replace('"seed": 3', '"seed": 4'));
    again.host.files.set('/project/alice.pub', host.files.get('/project/alice.pub') ?? new Uint8Array());
    expect((await verify(again.host, '--key', 'alice.pub')).stdout).toContain('it has no signed statement');
    again.host.files.set('/project/run/training.intoto.json', envelope ?? new Uint8Array());
    expect((await verify(again.host, '--key', 'alice.pub')).stdout).toContain('is not about these files');
  });

  it('prints the same verdict as JSON', async () => {
    const { host } = await trained();
    const { stdout } = await verify(host, '--level', 'spot', '--segments', '9', '--json');
    expect(JSON.parse(stdout)).toEqual({
      verified: true,
      asked: 'spot',
      reached: 'spot',
      signedBy: [],
      replayed: 24,
      exceptions: [],
      steps: 24,
      problem: null,
      uncheckedSignatures: [],
      onlySaid: [
        'epoch 0',
        'robustness not stated',
        '3 checkpoints',
        'tiers of checks',
        'code provable-contracts 0.1.0',
      ],
    });
  });

  it.each([
    ['ledger', ['origin', 'run file', 'epoch', 'robustness', 'data', 'checkpoint']],
    ['full', []],
  ] as const)('names at level %s what nothing was compared with', async (level, fields) => {
    const { host } = await trained();
    const { stdout } = await verify(host, '--level', level);
    const [, said = ''] = /only the certificate says: (.*)/.exec(stdout) ?? [];
    for (const field of ['origin', 'run file', 'epoch', 'robustness', 'data', 'checkpoint'])
      expect([field, said.includes(field)]).toEqual([field, (fields as readonly string[]).includes(field)]);
  });
});
