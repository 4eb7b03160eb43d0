/** Steps of a trainer: committed, refused or overridden, with the same bytes whatever the strategy. Holds src/training/parameters.ts. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Invariant } from '../../../src/training/invariants/invariant.ts';
import { custom } from '../../../src/training/invariants/custom.ts';
import { lossStabilityBound } from '../../../src/training/invariants/loss-stability.ts';
import { weightNormBound } from '../../../src/training/invariants/weight-norm.ts';
import { adam, adamW, lion, sgd } from '../../../src/training/optimizer/rules.ts';
import type { TrainerOptions } from '../../../src/training/trainer/configuration.ts';
import { rollbackStrategies, type RollbackStrategy } from '../../../src/training/trainer/rollback.ts';
import { createVerifiedTrainer } from '../../../src/training/trainer/trainer.ts';

const bits = (x: Float32Array): readonly number[] => [...new Uint32Array(x.buffer, x.byteOffset, x.length)];

function trainerOf(options: Partial<TrainerOptions> = {}) {
  const weights = {
    'a.weight': Float32Array.of(1, -2, 3),
    'a.bias': Float32Array.of(0.5),
    'b.weight': Float32Array.of(2, 2),
  };
  const trainer = createVerifiedTrainer({
    parameters: weights,
    optimizer: sgd({ learningRate: 0.1 }),
    invariants: [weightNormBound({ max: 10 })],
    ...options,
  });
  return { weights, trainer };
}

const gradients = (scale: number) => ({
  'a.weight': Float32Array.of(scale, -scale, scale),
  'a.bias': Float32Array.of(scale),
  'b.weight': Float32Array.of(scale, 0),
});

/** All weights and optimizer arrays, bit by bit. */
const allBits = ({ trainer }: ReturnType<typeof trainerOf>) =>
  trainer.parameters.map((_, i) => {
    const { weights, state } = trainer.state.slots(i);
    return [bits(weights), ...state.map(bits)];
  });

/** Fills every array that a value leads to. */
function spoilArrays(value: unknown): void {
  if (value instanceof Float32Array) value.fill(1e9);
  else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) spoilArrays(one);
}

describe('a step', () => {
  it('commits if all comparisons pass', async () => {
    const { weights, trainer } = trainerOf();
    const outcome = await trainer.step({ loss: 1, gradients: gradients(1) });
    expect(outcome).toMatchObject({ step: 1, verdict: 'committed', rate: 0.1, violations: [] });
    expect([...weights['a.weight']]).toEqual([Math.fround(0.9), Math.fround(-1.9), Math.fround(2.9)]);
    expect(outcome.attestation).toHaveLength(82);
  });

  const optimizers = { sgd: sgd({ learningRate: 0.1, momentum: 0.9 }), adam: adam(), adamW: adamW(), lion: lion() };
  it.each(rollbackStrategies.flatMap((strategy) => Object.keys(optimizers).map((name) => [strategy, name] as const)))(
    '%s leaves every byte of weights and %s unchanged when a step is refused, in any layer',
    async (rollbackStrategy, name) => {
      const optimizer = Object.entries(optimizers).find(([key]) => key === name)?.[1] ?? sgd({ learningRate: 1 });
      for (const refusing of ['a', 'b']) {
        const only: Invariant = {
          ...weightNormBound({ max: 10 }),
          start: () => ({
            layer: ({ layer }, { step }) =>
              step === 2 && layer.name === refusing ? [{ what: layer.name, value: 1, is: 'at most', bound: 0 }] : [],
          }),
        };
        const run = trainerOf({ rollbackStrategy, optimizer, invariants: [only] });
        await run.trainer.step({ loss: 1, gradients: gradients(1) });
        const before = allBits(run);
        expect(await run.trainer.step({ loss: 1, gradients: gradients(3) })).toMatchObject({
          verdict: 'refused',
          violations: [{ what: refusing }],
        });
        expect(allBits(run)).toEqual(before);
      }
    },
  );

  it('gives the same bits and records under every strategy', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.double({ min: -100, max: 100, noNaN: true }), { minLength: 1, maxLength: 8 }),
        async (scales) => {
          const runs = await Promise.all(
            rollbackStrategies.map(async (rollbackStrategy: RollbackStrategy) => {
              const run = trainerOf({
                rollbackStrategy,
                optimizer: adamW({ learningRate: 0.5 }),
                invariants: [weightNormBound({ max: 6 })],
              });
              const verdicts = [];
              for (const scale of scales) {
                const { verdict, measured } = await run.trainer.step({ loss: 1, gradients: gradients(scale) });
                verdicts.push(verdict, verdict === 'committed' ? measured : null);
              }
              return { verdicts, bits: allBits(run) };
            }),
          );
          expect(runs[1]).toEqual(runs[0]);
          expect(runs[2]).toEqual(runs[0]);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('overrides if allowed, and records it', async () => {
    const { trainer } = trainerOf({ allowOverride: true, invariants: [weightNormBound({ max: 1 })] });
    const outcome = await trainer.step({ loss: 1, gradients: gradients(1) });
    expect(outcome.verdict).toBe('overridden');
    expect(outcome.violations.map(({ what }) => what)).toEqual(['a', 'b']);
    const certificate = await trainer.seal();
    expect(certificate).toMatchObject({ overriddenSteps: 1, violations: 1 });
    expect(certificate.violationList[0]).toMatchObject({ step: 1, outcome: 'overridden' });
    expect(certificate.invariantStats[0]).toMatchObject({ checks: 1, satisfied: 0, overridden: 1 });
  });

  it('only records failures during the warm-up, and refuses after it', async () => {
    const { trainer } = trainerOf({ warmupSteps: 1, invariants: [weightNormBound({ max: 1 })] });
    expect((await trainer.step({ loss: 1, gradients: gradients(1) })).verdict).toBe('committed');
    expect((await trainer.step({ loss: 1, gradients: gradients(1) })).verdict).toBe('refused');
    const certificate = await trainer.seal();
    expect(certificate.violationList.map(({ step, outcome }) => [step, outcome])).toEqual([
      [1, 'warmup'],
      [1, 'warmup'],
      [2, 'refused'],
    ]);
  });

  it.each([
    ['a loss that is not a number', NaN, 1],
    ['an infinite loss', -Infinity, 1],
    ['a gradient that is not a number', 1, NaN],
    ['an infinite gradient', 1, Infinity],
    ['an update beyond float32', 1, 3e38],
  ])('refuses %s even where everything is allowed', async (_, loss, scale) => {
    const run = trainerOf({ allowOverride: true, warmupSteps: 9, optimizer: sgd({ learningRate: 10 }) });
    const before = allBits(run);
    const outcome = await run.trainer.step({ loss, gradients: gradients(scale) });
    expect(outcome.verdict).toBe('refused');
    expect(outcome.violations).toContainEqual(expect.objectContaining({ invariant: 'Finite' }));
    expect(allBits(run)).toEqual(before);
  });
});

describe('the average of LossStabilityBound', () => {
  const bounded = () =>
    trainerOf({
      invariants: [lossStabilityBound({ spikeCap: 0.1, window: 3, maxGradientNorm: 100, maxStepSize: 100 })],
    });
  const verdicts = async (losses: readonly number[]) => {
    const { trainer } = bounded();
    const found = [];
    for (const loss of losses) found.push((await trainer.step({ loss, gradients: gradients(0.01) })).verdict);
    return found;
  };

  it('excludes the loss under test: a spike of 11 % is refused, one of 10 % is not', async () => {
    expect(await verdicts([1, 1.11])).toEqual(['committed', 'refused']);
    expect(await verdicts([1, 1.1])).toEqual(['committed', 'committed']);
  });

  it('excludes refused steps: repeated spikes do not raise the bound', async () => {
    expect(await verdicts([1, 5, 5, 5, 5, 1.2, 1])).toEqual([
      'committed',
      ...Array<string>(5).fill('refused'),
      'committed',
    ]);
  });
});

describe('misuse', () => {
  it('throws for parameters that share memory: each update would change both', () => {
    const w = Float32Array.of(9, 1);
    for (const parameters of [
      { a: w, b: w },
      { a: w, b: w.subarray(1) },
    ])
      expect(() => trainerOf({ parameters })).toThrow(/^PV-8401: Parameters 'a' and 'b' share memory/);
    expect(() => trainerOf({ parameters: { a: w.subarray(0, 1), b: w.subarray(1) } })).not.toThrow();
  });

  it.each(['', '__metadata__', '\ud800'])('throws PV-8401 for the name %j', (name) => {
    expect(() => trainerOf({ parameters: { [name]: Float32Array.of(1) } })).toThrow(/^PV-8401/);
  });

  it('throws for a loss that is not a number', async () => {
    const run = trainerOf();
    for (const loss of [null, '0', undefined])
      await expect(run.trainer.step({ loss: loss as never, gradients: gradients(1) })).rejects.toThrow(/^PV-8402/);
  });

  it.each(rollbackStrategies)('%s: a custom invariant writes to copies only', async (rollbackStrategy) => {
    const evil = (phase: 'before' | 'layer' | 'after') =>
      custom({
        name: 'Evil',
        complexity: 1,
        phase,
        check: (...given: readonly unknown[]) => {
          for (const one of given) spoilArrays(one);
          return [{ what: 'nothing', value: 0, is: 'at most' as const, bound: 1 }];
        },
      });
    const plain = trainerOf({ rollbackStrategy });
    await plain.trainer.step({ loss: 1, gradients: gradients(1) });
    for (const phase of ['before', 'layer', 'after'] as const) {
      const run = trainerOf({ rollbackStrategy, invariants: [weightNormBound({ max: 10 }), evil(phase)] });
      expect((await run.trainer.step({ loss: 1, gradients: gradients(1) })).verdict).toBe('committed');
      expect(allBits(run)).toEqual(allBits(plain));
    }
  });

  it('throws for a custom invariant that returns something else than comparisons, and for a sink that is not done', async () => {
    const odd = { what: 'x', value: 9, is: 'At most', bound: 1 };
    const wrong = custom({ name: 'Odd', complexity: 1, phase: 'before', check: () => [odd as never] });
    const step = trainerOf({ invariants: [wrong] }).trainer.step({ loss: 1, gradients: gradients(1) });
    await expect(step).rejects.toThrow(/^PV-8403: 'Odd' returned something other/);
    const later: () => unknown = () => Promise.resolve();
    expect(() => trainerOf({ ledger: later })).toThrow(/^PV-8403: The ledger sink/);
  });

  it('hands out copies of what a checkpoint holds', async () => {
    const run = trainerOf({ optimizer: sgd({ learningRate: 0.1, momentum: 0.9 }) });
    await run.trainer.step({ loss: 1, gradients: gradients(1) });
    const before = allBits(run);
    for (const { data } of run.trainer.keep().arrays) data.fill(5);
    expect(allBits(run)).toEqual(before);
  });

  it('throws for mismatched gradients, and changes nothing', async () => {
    const run = trainerOf();
    const before = allBits(run);
    const { 'a.bias': _, ...missing } = gradients(1);
    for (const wrong of [
      missing,
      { ...gradients(1), c: Float32Array.of(1) },
      { ...gradients(1), 'a.bias': Float32Array.of(1, 2) },
    ])
      await expect(run.trainer.step({ loss: 1, gradients: wrong })).rejects.toThrow(/^PV-8402/);
    expect(allBits(run)).toEqual(before);
    expect((await run.trainer.step({ loss: 1, gradients: gradients(1) })).step).toBe(1);
  });

  it('notices weights that something else has changed', async () => {
    const { weights, trainer } = trainerOf();
    await trainer.step({ loss: 1, gradients: gradients(1) });
    weights['a.bias'][0] = 7;
    await expect(trainer.step({ loss: 1, gradients: gradients(1) })).rejects.toThrow(/^PV-8404: .*after step 1/);
    await expect(trainer.seal()).rejects.toThrow(/^PV-8404/);
  });

  it('accepts no step once it is sealed or a step was not recorded', async () => {
    const { trainer } = trainerOf();
    await trainer.seal();
    await expect(trainer.step({ loss: 1, gradients: gradients(1) })).rejects.toThrow(/^PV-8404: The run is sealed/);
    let lines = 0;
    const full = trainerOf({
      ledger: () => {
        if (++lines === 2) throw new Error('no space left on the device');
      },
    }).trainer;
    await expect(full.step({ loss: 1, gradients: gradients(1) })).rejects.toThrow('no space');
    await expect(full.step({ loss: 1, gradients: gradients(1) })).rejects.toThrow(
      /^PV-8404: Step 1 could not be recorded/,
    );
  });

  it.each([
    [{}],
    [{ a: Float64Array.of(1) }],
    [{ a: { shape: [2, 2], data: new Float32Array(3) } }],
    [{ a: { shape: [-1, -3], data: new Float32Array(3) } }],
  ])('throws PV-8401 for parameters that it cannot use: %j', (parameters) => {
    expect(() => trainerOf({ parameters: parameters as never })).toThrow(/^PV-8401/);
  });

  it('throws if layers omit a parameter or name one twice', () => {
    for (const layers of [
      { a: ['a.weight'] },
      { a: ['a.weight', 'a.bias', 'a.bias'] },
      { a: ['a.weight', 'a.bias', 'b.weight', 'c'] },
    ])
      expect(() => trainerOf({ layers })).toThrow(/^PV-8401: The layers/);
  });

  it.each([
    () => sgd({ learningRate: -1 }),
    () => sgd({ learningRate: 1, momentum: 1 }),
    () => adam({ beta2: -0.1 }),
    () => adamW({ epsilon: 0 }),
    () => lion({ weightDecay: Infinity }),
    () => weightNormBound({ max: 1, min: 2 }),
    () => lossStabilityBound({ spikeCap: NaN, window: 1, maxGradientNorm: 1, maxStepSize: 1 }),
    () => trainerOf({ expensiveCheckInterval: 0 }),
  ])('throws PV-8403 for a setting out of its range: %s', (make) => {
    expect(make).toThrow(/^PV-8403/);
  });
});
