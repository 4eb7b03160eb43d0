/** `pv train` of a character transformer on a text. Holds src/training/run/text-task.ts, src/training/run/model-and-data.ts, src/training/model/text.ts. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createMemoryHost, type MemoryHost } from '../../../src/host/memory-host.ts';
import { createNodeHost } from '../../../src/host/node-host.ts';
import { runPv } from '../../support/memory-cli.ts';

const document = {
  format: 'pv-training-run/1',
  seed: 3,
  steps: 12,
  model: { kind: 'char_transformer', width: 8, heads: 2, layers: 1, context: 6 },
  data: { kind: 'text', file: 'texts/corpus.txt', batch: 3 },
  optimizer: { kind: 'adamw', learning_rate: 0.01 },
  invariants: [
    { LossStabilityBound: { spike_cap: 0.5, window: 5, max_gradient_norm: 5, max_step_size: 2 } },
    { WeightNormBound: { max_norm: 20, min_norm: 0.01 } },
    { LipschitzBound: { max_lipschitz: 20 } },
    { CoherenceBound: { min_coherence: 0 } },
    { EnergyGate: { min_energy: 0, critical_energy: 0 } },
  ],
  checkpoint_interval: 4,
};
const english = 'the cat sat on the mat and the dog sat on the log, as cats and dogs do. '.repeat(4);

async function trained(text: string | Uint8Array, change: object = {}) {
  const host = createMemoryHost({ 'sub/run.json': JSON.stringify({ ...document, ...change }) });
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  host.files.set('/project/sub/texts/corpus.txt', bytes);
  return { host, ran: await runPv(['train', 'sub/run.json', '--out', 'run'], { host }) };
}

const verify = (host: MemoryHost, level: string) =>
  runPv(['certificate', 'verify', 'run', '--level', level, '--segments', '9'], { host });

const certificateOf = (host: MemoryHost) =>
  JSON.parse(new TextDecoder().decode(host.files.get('/project/run/certificate.json'))) as {
    readonly config: { readonly run: { readonly data: object } };
    readonly datasetManifest: { readonly sha256: string };
  };

describe('a run on a text', () => {
  it('verifies at every level, with the digest of the text in its configuration', async () => {
    const { host, ran } = await trained(english);
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stdout).toContain('Trained: 12 steps: 12 committed, 0 refused\n');
    for (const level of ['files', 'ledger', 'spot', 'full'])
      expect((await verify(host, level)).stdout).toMatch(new RegExp(`^VERIFIED \\(${level}\\)`));
    const sha256 = createHash('sha256').update(english).digest('hex');
    expect(certificateOf(host).config.run.data).toEqual({ ...document.data, sha256 });
    expect(certificateOf(host).datasetManifest.sha256).toBe(sha256);
    expect(new TextDecoder().decode(host.files.get('/project/run/data.txt'))).toBe(english);
  });

  it('gives the same ledger again, and another with another seed', async () => {
    const [first, second, other] = [
      await trained(english),
      await trained(english),
      await trained(english, { seed: 4 }),
    ];
    const ledger = ({ host }: { readonly host: MemoryHost }) => host.files.get('/project/run/ledger.jsonl');
    expect(ledger(second)).toEqual(ledger(first));
    expect(ledger(other)).not.toEqual(ledger(first));
  });

  it('is not replayed on another text, or on none', async () => {
    const { host } = await trained(english);
    host.files.set('/project/run/data.txt', new TextEncoder().encode(`${english} `));
    for (const level of ['spot', 'full']) {
      const verdict = await verify(host, level);
      expect(verdict.code).toBe(1);
      expect(verdict.stdout).toContain(`NOT VERIFIED (requested ${level}, reached ledger)`);
      expect(verdict.stdout).toContain('PV-8322');
    }
    expect((await verify(host, 'ledger')).code).toBe(0);
    host.files.delete('/project/run/data.txt');
    expect((await verify(host, 'full')).stdout).toContain('its copy is data.txt');
  });

  it('does not begin on a text other than the one the run file names by its digest', async () => {
    const { ran } = await trained(english, { data: { ...document.data, sha256: '0'.repeat(64) } });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('PV-8322');
  });

  it('replays samples and measures Fisher information, and all of it verifies', async () => {
    const { host, ran } = await trained(english, {
      replay: { capacity: 9, samples_per_step: 2 },
      invariants: [{ FullFisher: { every_epochs: 4, max_interaction: 1e9, samples: 2 } }],
    });
    expect(ran.code).toBe(0);
    for (const level of ['spot', 'full']) expect((await verify(host, level)).code).toBe(0);
  });
});

describe('the documented example', () => {
  it('learns: its loss falls below the entropy of single characters within a few steps', async () => {
    const folder = new URL('../../../examples/train/', import.meta.url);
    const [file, text] = ['char-transformer.yaml', 'manual.txt'].map((name) =>
      readFileSync(new URL(name, folder), 'utf8'),
    );
    const counts = new Map<string, number>();
    for (const one of text ?? '') counts.set(one, (counts.get(one) ?? 0) + 1);
    const length = text?.length ?? 0;
    const entropy = -[...counts.values()].reduce((sum, n) => sum + (n / length) * Math.log(n / length), 0);
    const short = (file ?? '').replace(/^steps: \d+/m, 'steps: 120');
    const host = createMemoryHost({ 'run.yaml': short, 'manual.txt': text ?? '' });
    const { code, stdout } = await runPv(['train', 'run.yaml', '--out', 'run'], { host });
    expect(code).toBe(0);
    expect(Number(/loss +([\d.]+)/.exec(stdout)?.[1])).toBeLessThan(entropy);
  });
});

describe('a text of a stranger', () => {
  it.each<[string, string | Uint8Array, object]>([
    ['with emoji and combining marks', '👩‍🚀 e\u0301 — ok? 👍 '.repeat(5), {}],
    ['with CRLF', 'one\r\ntwo\r\nthree\r\n', {}],
    ['with a byte order mark', '\ufeffone two three', {}],
    ['with NUL', 'a\0b\0c\0d\0e', {}],
    [
      'in bytes',
      Uint8Array.from({ length: 50 }, (_, i) => (i * 97) & 0xff),
      { data: { ...document.data, unit: 'bytes' } },
    ],
    ['of the shortest length', 'abcdefg', {}],
  ])('%s is learned and verified', async (_, text, change) => {
    const { host, ran } = await trained(text, change);
    expect(ran).toMatchObject({ code: 0 });
    expect((await verify(host, 'full')).code).toBe(0);
  });

  it.each<[string, string | Uint8Array, object, string, string]>([
    ['that is empty', '', {}, 'PV-8321', 'has 0 characters; run.model.context is 6, which needs at least 7'],
    ['of one character', 'x', {}, 'PV-8321', 'has 1 characters'],
    ['one character too short', 'abcdef', {}, 'PV-8321', 'has 6 characters'],
    ['of emoji, which are one character each', '👍👎👍', {}, 'PV-8321', 'has 3 characters'],
    ['of one symbol', 'x'.repeat(99), {}, 'PV-8321', 'repeats a single symbol'],
    ['that is not UTF-8', Uint8Array.of(0x80, 0xff, 0, 1, 2, 3, 4, 5), {}, 'PV-8321', 'set data.unit to bytes'],
    ['of 50 MB', new Uint8Array(50_000_000), {}, 'PV-8321', 'has 50000000 bytes, more than the 16777216'],
    [
      'with one head too many',
      english,
      { model: { ...document.model, heads: 3 } },
      'PV-8405',
      'it must divide run.model.width, 8',
    ],
    [
      'that a graph network cannot read',
      english,
      { model: { kind: 'gnn', hidden: [] } },
      'PV-8405',
      'the model gnn trains on planted_graph',
    ],
    [
      'too large a batch',
      english,
      { model: { ...document.model, width: 1024, layers: 24, context: 128 }, data: { ...document.data, batch: 1024 } },
      'PV-8405',
      'run.data.batch makes buffers of',
    ],
    [
      'with an invariant of graphs',
      english,
      { invariants: [{ PermutationEquivariance: { max_deviation: 1 } }] },
      'PV-8323',
      'run.invariants[0].PermutationEquivariance does not apply',
    ],
    ['with several tasks', english, { tasks: [{ name: 'a', steps: 12 }] }, 'PV-8405', 'run.tasks is for the model gnn'],
    [
      'at a place outside',
      english,
      { data: { ...document.data, file: '../secret.txt' } },
      'PV-8320',
      "leads out of the run file's folder",
    ],
    ['at an absolute place', english, { data: { ...document.data, file: '/etc/passwd' } }, 'PV-8320', 'leads out of'],
    [
      'that is missing',
      english,
      { data: { ...document.data, file: 'nothing.txt' } },
      'PV-8321',
      "'nothing.txt' does not exist",
    ],
    ['that is a folder', english, { data: { ...document.data, file: 'texts' } }, 'PV-8321', 'is a directory'],
  ])('%s is refused, and nothing is written', async (_, text, change, code, message) => {
    const { host, ran } = await trained(text, change);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(code);
    expect(ran.stderr.replace(/\s*\n[ |]*/g, ' ')).toContain(message);
    expect([...host.files.keys()].filter((path) => path.startsWith('/project/run/'))).toEqual([]);
  });

  it('behind a link that leaves the folder is refused', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'pv-text-'));
    mkdirSync(join(folder, 'project'));
    writeFileSync(join(folder, 'secret.txt'), english);
    symlinkSync(join(folder, 'secret.txt'), join(folder, 'project', 'corpus.txt'));
    const file = JSON.stringify({ ...document, data: { ...document.data, file: 'corpus.txt' } });
    writeFileSync(join(folder, 'project', 'run.json'), file);
    const host = createNodeHost(join(folder, 'project'));
    const ran = await runPv(['train', 'run.json', '--out', 'run'], { host });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain('PV-8320');
    rmSync(folder, { recursive: true });
  });
});
