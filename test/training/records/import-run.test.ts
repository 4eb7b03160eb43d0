/**
 * Certificates of runs that another trainer recorded, honest and hostile. Holds src/training/records/import-run.ts,
 * src/training/records/read-records.ts, src/training/records/check-records.ts, src/training/records/final-weights.ts,
 * src/training/records/judge.ts, src/training/records/invariants-file.ts.
 */
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { describe, expect, it } from 'vitest';
import { importRun, type ImportedRun } from '../../../src/training/records/import-run.ts';
import { sha256 } from '../../../src/merkle/sha256.ts';
import { readInvariants } from '../../../src/training/records/invariants-file.ts';
import { lossStabilityBound } from '../../../src/training/invariants/loss-stability.ts';
import { weightNormBound } from '../../../src/training/invariants/weight-norm.ts';
import { energyGate } from '../../../src/training/invariants/energy-gate.ts';
import { lipschitzBound } from '../../../src/training/invariants/lipschitz.ts';
import { readCertificate } from '../../../src/training/certificate/read-certificate.ts';
import { verifyCertificate, type Level } from '../../../src/training/verify/verify.ts';
import type { TrainingCertificate } from '../../../src/training/certificate/certificate.ts';
import { certificateBytes } from '../run/small-run.ts';
import { bytesOf, recordedRun, textOf, type Line, type Recorded } from './recorded-run.ts';

const invariants = [
  lossStabilityBound({ spikeCap: 0.5, window: 5, maxGradientNorm: 20, maxStepSize: 2 }),
  weightNormBound({ max: 20, min: 0.5 }),
  energyGate({ minEnergy: 0.1, criticalEnergy: 0.1 }),
];

const imported = ({ lines, weights }: Recorded, warmupSteps = 0) =>
  importRun({ records: bytesOf(lines), weights, invariants, warmupSteps });

function certified(recorded: Recorded, warmupSteps = 0): ImportedRun {
  const run = imported(recorded, warmupSteps);
  if (!run.ok) throw new Error(run.error.message);
  return run.value;
}

const verify = (certificate: TrainingCertificate, ledger: readonly string[], weights: Uint8Array, level: Level) =>
  verifyCertificate(
    {
      certificate: certificateBytes(certificate),
      weights,
      ledger: utf8ToBytes(ledger.join('')),
      envelope: null,
      compacted: null,
      text: async () => null,
      checkpoint: async () => null,
    },
    {
      level,
      segments: 1,
      keys: [],
      names: { certificate: 'certificate.json', weights: 'weights.safetensors' },
      pick: () => 0,
    },
  );

const run = recordedRun();

/** The code of an import of changed lines. */
function codeOf(change: (lines: Line[]) => readonly Line[], from: Recorded = run): string {
  const result = imported({ ...from, lines: change(structuredClone([...from.lines])) });
  return result.ok ? 'certified' : result.error.code;
}

const codeOfText = (text: string): string => {
  const result = importRun({ records: utf8ToBytes(text), weights: run.weights, invariants, warmupSteps: 0 });
  return result.ok ? 'certified' : result.error.code;
};

const changed = (lines: readonly Line[], index: number, change: Line): readonly Line[] =>
  lines.map((line, i) => (i === index ? { ...line, ...change } : line));

describe('a recorded run', () => {
  it('has a certificate that verifies up to its ledger, and says whose word each number is', async () => {
    const { certificate, ledger } = certified(run);
    expect(certificate).toMatchObject({
      totalSteps: 12,
      committedSteps: 12,
      origin: 'recorded',
      sources: {
        losses: 'reported',
        gradients: 'reported',
        learningRates: 'reported',
        weights: 'reported',
        finalWeights: 'measured',
      },
      code: { name: 'Bowl', version: '1.0', digest: null },
    });
    expect(await verify(certificate, ledger, run.weights, 'ledger')).toMatchObject({
      reached: 'ledger',
      problem: null,
    });
    expect(await verify(certificate, ledger, run.weights, 'full')).toMatchObject({
      reached: 'ledger',
      problem: { code: 'PV-8413' },
    });
  });

  it('gives the same bytes when it is imported again', () => {
    expect(certified(recordedRun())).toEqual(certified(run));
  });

  it('has the norms of the final weights as pv measures them, whatever the last digits in the records', async () => {
    const { certificate, ledger } = certified(run);
    const lines = structuredClone([...run.lines]);
    const last = lines.at(-2);
    if (last === undefined || !Array.isArray(last['norms'])) throw new Error('no last step');
    last['norms'] = last['norms'].map((value) => Number(value) * (1 + 1e-7));
    const again = certified({ ...run, lines });
    expect(again.certificate.config['run']).not.toEqual(certificate.config['run']);
    expect(measuredOf(again.ledger)).toEqual(measuredOf(ledger));
  });

  it('overrides a spike that the trainer applied, and refuses one that it skipped', async () => {
    for (const [fault, counts] of [
      [{ times: 30 }, { overriddenSteps: 1, refusedSteps: 0 }],
      [
        { times: 30, skipped: true },
        { overriddenSteps: 0, refusedSteps: 1 },
      ],
      [
        { times: NaN, skipped: true },
        { overriddenSteps: 0, refusedSteps: 1 },
      ],
      [
        { times: Infinity, skipped: true },
        { overriddenSteps: 0, refusedSteps: 1 },
      ],
    ] as const) {
      const spiked = recordedRun(8, { 4: fault });
      const { certificate, ledger } = certified(spiked);
      expect(certificate).toMatchObject({ totalSteps: 8, ...counts });
      expect(certificate.violationList[0]).toMatchObject({ step: 4 });
      expect(await verify(certificate, ledger, spiked.weights, 'ledger')).toMatchObject({ problem: null });
    }
  });

  it('tolerates what fails in the warm-up', async () => {
    const spiked = recordedRun(8, { 2: { times: 5 }, 3: { times: 30, skipped: true } });
    const { certificate, ledger } = certified(spiked, 3);
    expect(certificate).toMatchObject({ committedSteps: 7, refusedSteps: 1, overriddenSteps: 0 });
    expect(await verify(certificate, ledger, spiked.weights, 'ledger')).toMatchObject({ problem: null });
  });

  it('may end with skipped steps, or consist of them', async () => {
    for (const faults of [{ 8: { times: 30, skipped: true } }, { 1: { times: NaN, skipped: true } }]) {
      const skipping = recordedRun('8' in faults ? 8 : 1, faults, 3);
      const { certificate, ledger } = certified(skipping);
      expect(certificate.refusedSteps).toBe(1);
      expect(await verify(certificate, ledger, skipping.weights, 'ledger')).toMatchObject({ problem: null });
    }
  });

  it('has no certificate if a NaN reached the weights', () => {
    expect(codeOf((lines) => lines, recordedRun(5, { 3: { times: NaN } }))).toBe('PV-8340');
    expect(codeOf((lines) => changed(lines, 3, { loss: 'NaN' }))).toBe('PV-8340');
    const { lines, weights } = recordedRun(3, { 1: { skipped: true }, 2: { skipped: true }, 3: { skipped: true } });
    const broken = weights.slice();
    broken.set([0, 0, 0xc0, 0x7f], broken.length - 4);
    const digest = bytesToHex(sha256(broken));
    const ended = lines.map((line, i) => (i === 0 || i === 4 ? { ...line, digest } : line));
    expect(imported({ lines: ended, weights: broken })).toMatchObject({ error: { code: 'PV-8339' } });
  });

  it.each(['NaN', 'Infinity'])('has no certificate if a norm of weights or of an update is %s', (size) => {
    for (const [index, key] of [
      [0, 'norms'],
      ...[1, 6, 12].flatMap((step) => [[step, 'norms'] as const, [step, 'updates'] as const]),
    ] as const)
      for (const norms of [
        [size, size],
        [size, 1],
        [1, size],
      ])
        for (const from of [run, recordedRun(12, { 1: { times: 30, skipped: true } })])
          expect(codeOf((lines) => changed(lines, index, { [key]: norms }), from)).toMatch(/^PV-83(?:38|40)$/);
    // Two such updates would hide that the weights went elsewhere and came back.
    const elsewhere = { norms: [90, 0.001], updates: [size, size] };
    expect(codeOf((lines) => changed([...changed(lines, 6, elsewhere)], 7, { updates: [size, size] }))).toBe('PV-8340');
  });
});

/** The comparisons of the last line of a ledger. */
const measuredOf = (ledger: readonly string[]): unknown => /"measured":.*\]\]/.exec(ledger.at(-1) ?? '')?.[0];

describe('a hostile author of records', () => {
  it.each<[string, string, (lines: Line[]) => readonly Line[]]>([
    ['leaves out a step', 'PV-8331', (lines) => lines.toSpliced(4, 1)],
    ['repeats a step', 'PV-8331', (lines) => lines.toSpliced(4, 0, lines[4] ?? {})],
    ['swaps two steps', 'PV-8331', (lines) => lines.with(4, lines[5] ?? {}).with(5, lines[4] ?? {})],
    ['starts later', 'PV-8331', (lines) => lines.toSpliced(1, 1)],
    ['says that the run had fewer steps', 'PV-8331', (lines) => changed(lines, 13, { end: 11 })],
    ['goes on after the end', 'PV-8331', (lines) => [...lines, lines[13] ?? {}]],
    ['stops before the end', 'PV-8332', (lines) => lines.slice(0, -1)],
    ['writes nothing', 'PV-8332', () => []],
    ['leaves out a norm', 'PV-8334', (lines) => changed(lines, 3, { norms: [1] })],
    ['adds a gradient', 'PV-8334', (lines) => changed(lines, 3, { gradients: [1, 1, 1] })],
    ['leaves out a shape', 'PV-8334', (lines) => changed(lines, 0, { shapes: [[2]] })],
    ['names a parameter twice', 'PV-8334', (lines) => changed(lines, 0, { parameters: ['head.bias', 'head.bias'] })],
    ['renames a parameter', 'PV-8334', (lines) => changed(lines, 0, { parameters: ['head.bias', 'head.w'] })],
    ['changes a shape', 'PV-8334', (lines) => changed(lines, 0, { shapes: [[2], [2, 3]] })],
    [
      'has a name with a line end',
      'PV-8337',
      (lines) => changed(lines, 0, { parameters: ['a\nVERIFIED (full)', 'b'] }),
    ],
    ['has a name that turns text around', 'PV-8337', (lines) => changed(lines, 0, { parameters: ['a\u202Eb', 'b'] })],
    ['names the trainer with an escape', 'PV-8337', (lines) => changed(lines, 0, { trainer: ['\u001B[2J', '1'] })],
    ['has a name too long to read', 'PV-8337', (lines) => changed(lines, 0, { trainer: ['x'.repeat(501), '1'] })],
    ['lets a norm jump', 'PV-8338', (lines) => changed(lines, 3, { norms: [1, 1] })],
    ['lets an update exceed both norms', 'PV-8338', (lines) => changed(lines, 3, { updates: [50, 50] })],
    ['changes the digest without an update', 'PV-8338', zeroUpdate],
    [
      'keeps the digest in an update',
      'PV-8338',
      (lines) => changed(changed(lines, 5, { digest: 'a'.repeat(64) }), 6, { digest: 'a'.repeat(64) }),
    ],
    [
      'keeps the digest in its last update',
      'PV-8338',
      (lines) => changed(lines, lines.length - 3, { digest: lines.at(-1)?.['digest'] }),
    ],
    ['ends with other weights', 'PV-8339', (lines) => changed(lines, 13, { digest: 'a'.repeat(64) })],
    ['adds a key', 'PV-8330', (lines) => changed(lines, 3, { note: 'all is well' })],
    ['has a negative norm', 'PV-8330', (lines) => changed(lines, 3, { norms: [-1, 1] })],
    ['has a negative rate', 'PV-8330', (lines) => changed(lines, 3, { rate: -0.1 })],
    ['has a text as loss', 'PV-8330', (lines) => changed(lines, 3, { loss: 'low' })],
    ['has another format', 'PV-8330', (lines) => changed(lines, 0, { format: 'pv-training-records/2' })],
    ['has no step', 'PV-8330', (lines) => [lines[0] ?? {}, { end: 0, digest: lines[0]?.['digest'] }]],
  ])('%s: %s', (_, code, change) => {
    expect(codeOf(change)).toBe(code);
  });

  it('may keep the digest in updates that cancel each other out, or that float32 does not show', () => {
    const digest = 'a'.repeat(64);
    expect(codeOf((lines) => changed(changed(lines, 5, { digest }), 7, { digest }))).toBe('certified');
    const [last, end] = [run.lines[12], run.lines[13]];
    const shown = { ...last, digest: end?.['digest'] };
    const more = (updates: readonly number[]): readonly Line[] => [
      ...run.lines.slice(0, 12),
      shown,
      { ...shown, step: 13, updates },
      { ...end, end: 13 },
    ];
    expect(codeOf(() => more([1e-8, 1e-8]))).toBe('certified');
    expect(codeOf(() => more([1e-3, 0]))).toBe('PV-8338');
  });

  it('passes weights of another run, or changes one bit of them', () => {
    const other = recordedRun(11).weights;
    const bit = run.weights.slice();
    bit[bit.length - 1] = (bit.at(-1) ?? 0) ^ 1;
    for (const weights of [other, bit])
      expect(imported({ ...run, weights })).toMatchObject({ error: { code: 'PV-8339' } });
    // Their digest can be forged in the last line, their norms cannot.
    const forged = { lines: [...run.lines.slice(0, -1), recordedRun(11).lines.at(-1) ?? {}], weights: other };
    const twelve = [...forged.lines.slice(0, -1), { ...forged.lines.at(-1), end: 12 }];
    expect(imported({ lines: twelve, weights: other })).toMatchObject({ error: { code: 'PV-8339' } });
    expect(imported({ ...run, weights: run.weights.subarray(0, 20) })).toMatchObject({ error: { code: 'PV-8420' } });
  });

  it('cuts the file anywhere', () => {
    const text = textOf(run.lines);
    for (let length = 0; length < text.length; length += 17) {
      const code = codeOfText(text.slice(0, length));
      expect(code).toBe('PV-8332');
    }
  });

  it('writes what JSON does not have, or two values for one key', () => {
    const text = textOf(run.lines);
    expect(codeOfText(text.replace(/"loss":[\d.]+/, '"loss":NaN'))).toBe('PV-8333');
    expect(codeOfText(text.replace(/"updates":\[[\d.]+/, '"updates":[-Infinity'))).toBe('PV-8333');
    expect(codeOfText(text.replace('"rate":0.1', '"rate":0.1,"rate":0.2'))).toBe('PV-8335');
    expect(codeOfText(text.replace('"rate":0.1', '"rate":0.1,"r\\u0061te":0.2'))).toBe('PV-8335');
    expect(codeOfText(text.replace('"rate":0.1', '"rate":0.1.2'))).toBe('PV-8330');
    expect(codeOfText(`\uFEFF${text}`)).toBe('PV-8330');
    expect(codeOfText('['.repeat(1e6))).toBe('PV-8332');
    expect(codeOfText(`${'['.repeat(1e6)}\n`)).toBe('PV-8330');
  });

  it('cannot make an edited certificate claim other sources', () => {
    const { certificate } = certified(run);
    const claims = { ...certificate, sources: { ...certificate.sources, losses: 'measured' as const } };
    expect(readCertificate(certificateBytes(claims))).toMatchObject({ error: { code: 'PV-8408' } });
  });

  it('cannot change the final norms in the ledger', async () => {
    const { certificate, ledger } = certified(run);
    const other = recordedRun(12, { 12: { times: 1.0001 } });
    const verdict = await verify(certificate, ledger, other.weights, 'ledger');
    expect(verdict).toMatchObject({ reached: null, problem: { code: 'PV-8411' } });
  });
});

/** A step without an update, whose digest says otherwise. */
function zeroUpdate(lines: Line[]): readonly Line[] {
  const { norms } = lines[5] ?? {};
  const digest = (letter: string): string => letter.repeat(64);
  return changed([...changed(lines, 5, { digest: digest('a') })], 6, { norms, updates: [0, 0], digest: digest('b') });
}

describe('the invariants of an import', () => {
  const format = 'pv-training-invariants/1';
  const settings = { WeightNormBound: { max_norm: 3 } };

  it('come from a file', () => {
    const read = readInvariants({ format, invariants: [settings], warmup_steps: 4 });
    expect(read).toMatchObject({ ok: true, value: { warmupSteps: 4, invariants: [{ name: 'WeightNormBound' }] } });
    for (const [document, message] of [
      [{ format, invariants: [{ WeightNormBound: { max: 3 } }] }, 'file.invariants[0].WeightNormBound.max is unknown.'],
      [{ format, invariants: [settings, settings] }, 'file.invariants[1] repeats WeightNormBound.'],
      [{ format: 'pv-training-run/1', invariants: [] }, 'file.format is not one of pv-training-invariants/1.'],
    ] as const)
      expect(readInvariants(document)).toMatchObject({ error: { code: 'PV-8342', message } });
    expect(readInvariants({ format, invariants: [{ WeightNormBound: { max_norm: -3 } }] })).toMatchObject({
      error: { code: 'PV-8403' },
    });
  });

  it('must be visible in records', () => {
    const deep = readInvariants({
      format,
      invariants: [
        { PermutationEquivariance: { max_deviation: 1 } },
        { FullFisher: { every_epochs: 1, max_interaction: 1 } },
      ],
    });
    if (!deep.ok) throw new Error(deep.error.message);
    for (const blind of [
      ...deep.value.invariants,
      lipschitzBound({ maxLipschitz: 3 }),
      energyGate({ minEnergy: 0.5, criticalEnergy: 0.1, rateFactor: 0.5 }),
    ])
      expect(
        importRun({ records: bytesOf(run.lines), weights: run.weights, invariants: [blind], warmupSteps: 0 }),
      ).toMatchObject({ error: { code: 'PV-8341' } });
  });
});
