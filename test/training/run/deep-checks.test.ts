/** Deep checks in a worker, with commits in two phases. Holds src/training/run/deep-check-worker.ts, src/training/run/deep-checks.worker.ts, src/training/trainer/gate-update.ts. */
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../../src/base/canonical-json.ts';
import { custom } from '../../../src/training/invariants/custom.ts';
import { startDeepChecks } from '../../../src/training/run/deep-check-worker.ts';
import { readRun } from '../../../src/training/run/run-file.ts';
import { train } from '../../../src/training/run/train.ts';
import { rollbackStrategies } from '../../../src/training/trainer/rollback.ts';
import type { DeepChecks } from '../../../src/training/trainer/deep-checks.ts';
import { repositoryRoot } from '../../support/built.ts';
import { gradientOf, trainerWith } from '../invariants/fixture.ts';
import { document } from './small-run.ts';

const entry = pathToFileURL(`${repositoryRoot}dist/training/run/deep-checks.worker.js`).href;

const started: DeepChecks[] = [];
afterEach(() => {
  for (const one of started.splice(0)) one.close();
  vi.unstubAllGlobals();
});
const start = (source: Parameters<typeof startDeepChecks>[0]): DeepChecks => {
  const checks = startDeepChecks(source, entry);
  started.push(checks);
  return checks;
};

/** A module whose invariant `Deep` has this body, and the same settings as the one below. */
const moduleOf = (body: string) =>
  start({
    kind: 'module',
    url: `data:text/javascript,${encodeURIComponent(
      `export const invariants = [{ name: 'Deep', settings: { kind: 'Custom', complexity: 99, phase: 'after' }, start: () => ({ model: (weights, { step }) => { ${body} } }) }];`,
    )}`,
  });
const first = "return [{ what: 'first', value: weights[0].data[0], is: 'at most', bound: 5 }];";
const deep = custom({
  name: 'Deep',
  complexity: 99,
  phase: 'after',
  check: ([one]) => [{ what: 'first', value: one?.data[0] ?? NaN, is: 'at most', bound: 5 }],
});

/** The bytes of weights and optimizer state. */
const bytesOf = (trainer: ReturnType<typeof trainerWith>) => trainer.keep().arrays.map(({ data }) => [...data]);

describe('a run file with deep checks in a worker', () => {
  it.each<[string, JsonObject]>([
    ['a check at every second step', {}],
    ['replay, which does not go ahead', { replay: { capacity: 9, samples_per_step: 3 } }],
    ['chunked rollback', { rollback_strategy: 'chunked-rollback' }],
  ])('gives the bytes of one without: %s', async (_, more) => {
    const invariants = [
      { LossStabilityBound: { spike_cap: 2, window: 5, max_gradient_norm: 5, max_step_size: 2 } },
      { PermutationEquivariance: { max_deviation: 1.3e-7 } },
      { FullFisher: { every_epochs: 2, max_interaction: 0.9, samples: 4 } },
    ];
    const trained = async (where: string) => {
      const text = { ...document, ...more, invariants, expensive_check_interval: 2, deep_checks: where };
      const run = readRun({ ...text, stop_after_refusals: 99 });
      if (!run.ok) throw new Error(run.error.message);
      let ledger = '';
      const { certificate } = await train(run.value, {
        ledger: (line) => (ledger += line),
        checkpoint: async () => undefined,
        progress: async () => false,
        ...(where === 'worker' && {
          deepChecks: start({ kind: 'run', document: run.value.document, text: run.value.text }),
        }),
      });
      return { ledger, certificate };
    };
    const [here, beside] = [await trained('here'), await trained('worker')];
    expect(beside).toEqual(here);
    // Some deep checks refuse, so that what was computed ahead is dropped, and some do not.
    const of = (name: string) => here.certificate.invariantStats.find((one) => one.name === name);
    expect(of('PermutationEquivariance')?.satisfied).toBeGreaterThan(0);
    expect(here.certificate.violationList.some(({ what }) => what === 'interaction' || what.startsWith('perm'))).toBe(
      true,
    );
  });
});

describe('a trainer of your own with deep checks in a worker', () => {
  it.each(rollbackStrategies)('commits and refuses in two phases, with every byte in place: %s', async (strategy) => {
    const trainer = trainerWith([deep], { deepChecks: moduleOf(first), rollbackStrategy: strategy });
    const before = bytesOf(trainer);
    const refused = trainer.step({ loss: 1, gradients: gradientOf(-90, 0, 0, 0) });
    // Provisional: the proposed weights are in place.
    expect(trainer.parameters[0]?.data[0]).toBe(12);
    await expect(trainer.step({ loss: 1, gradients: gradientOf(0, 0, 0, 0) })).rejects.toThrow(/^PV-8352/);
    await expect(trainer.seal()).rejects.toThrow(/^PV-8352/);
    expect(() => trainer.keep()).toThrow(/^PV-8352/);
    expect((await refused).verdict).toBe('refused');
    expect(bytesOf(trainer)).toEqual(before);
    expect((await trainer.step({ loss: 1, gradients: gradientOf(-9, 0, 0, 0) })).verdict).toBe('committed');
  });

  it('records nothing if the worker is killed, changes no byte, and can take the step again', async () => {
    const lines: string[] = [];
    const trainer = trainerWith([deep], {
      deepChecks: moduleOf(`if (step === 2 && weights[0].data[0] > 4) process.exit(9); ${first}`),
      ledger: (line) => lines.push(line),
    });
    await trainer.step({ loss: 1, gradients: gradientOf(0, 0, 0, 0) });
    const [before, recorded] = [bytesOf(trainer), [...lines]];
    const killed = trainer.step({ loss: 1, gradients: gradientOf(-15, 0, 0, 0) });
    await expect(killed).rejects.toThrow(/^PV-8350: .*the worker has ended.*no weight has changed/);
    expect(bytesOf(trainer)).toEqual(before);
    expect(lines).toEqual(recorded);
    expect(await trainer.step({ loss: 1, gradients: gradientOf(0, 0, 0, 0) })).toMatchObject({
      step: 2,
      verdict: 'committed',
    });
  });

  it.each([
    ['throws', "throw new Error('out of order');", /^PV-8350: .*out of order/],
    ['answers nothing readable', 'return () => 1;', /^PV-8350/],
  ])('is refused with its own code if a check %s', async (_, body, message) => {
    const trainer = trainerWith([deep], { deepChecks: moduleOf(body) });
    const before = bytesOf(trainer);
    await expect(trainer.step({ loss: 1, gradients: gradientOf(-15, 0, 0, 0) })).rejects.toThrow(message);
    expect(bytesOf(trainer)).toEqual(before);
  });

  it('is refused if the worker has the invariant with other settings', async () => {
    const other = custom({ name: 'Deep', complexity: 50, phase: 'after', check: () => [] });
    const trainer = trainerWith([other], { deepChecks: moduleOf(first) });
    await expect(trainer.step({ loss: 1, gradients: gradientOf(0, 0, 0, 0) })).rejects.toThrow(/no invariant 'Deep'/);
  });

  it('says that there are no threads in browsers', () => {
    vi.stubGlobal('process', undefined);
    expect(() => startDeepChecks({ kind: 'module', url: 'x' }, entry)).toThrow(/^PV-8351: There are no worker threads/);
  });
});
