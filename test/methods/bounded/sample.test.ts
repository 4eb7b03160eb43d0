/** The few cases before a proof: an input that it is about, and cheap counterexamples. */
import { describe, expect, it } from 'vitest';
import { sampleWithin, within, type SampledGoal } from '../../../src/methods/bounded/sample.ts';
import { openExecutor } from '../../../src/methods/runs/execute.ts';
import { invariant } from '../../../src/base/invariant.ts';
import { recordInput } from '../../../src/runtime/case-text.ts';
import { createGenerator } from '../../../src/runtime/generate/generator.ts';
import { closed, domain, input, size, softmaxDomain } from '../../runtime/domains.ts';
import { goalOf, kernels, softmax, sumsToOne, toCall } from '../softmax-goal.ts';

const request: SampledGoal = {
  goal: goalOf(),
  compiled: sumsToOne({}, 8),
  kernels: kernels(softmax),
  toCall,
  seed: 1,
  expired: () => false,
};

describe('a domain within a bound', () => {
  const sizesOf = (bound: number) =>
    within(domain([size('n', 1, 512), size('m', 8, 9), size('k', 2, 3)], []), bound).sizes.map(
      ({ minimum, maximum }) => [minimum, maximum],
    );
  it('has no larger size, but those that begin above it', () => {
    expect(sizesOf(4)).toEqual([
      [1, 4],
      [8, 8],
      [2, 3],
    ]);
    expect(sizesOf(1000)).toEqual([
      [1, 512],
      [8, 9],
      [2, 3],
    ]);
  });
});

describe('a sample', () => {
  it('has sizes within the bound, and the first input that satisfies the preconditions', async () => {
    const { outcome, witness, seen } = await sampleWithin(request, 3);
    expect(outcome).toMatchObject({ verdict: 'tested', cases: 300, sizes: { n: { minimum: 1, maximum: 3 } } });
    const generator = createGenerator(within(softmaxDomain, 3), request.seed, request.goal.id);
    const first = generator.ok ? generator.value.at(0) : null;
    expect(witness).toEqual(first && recordInput(softmaxDomain, first));
    expect(seen).toBeNull();
  });

  it('keeps the first case of requested sizes with what the kernels gave, whatever came after', async () => {
    const { seen } = await sampleWithin(request, 3, ([n]) => n === 2);
    expect(seen?.sizes).toEqual([2]);
    const [x] = seen?.values ?? [];
    invariant(x instanceof Float32Array, 'the input is a vector');
    expect(seen?.outputs).toEqual([softmax(x)]);
    const other = await sampleWithin(request, 3, ([n]) => n === 9);
    expect(other.seen).toBeNull();
  });

  it('has no input where the preconditions exclude all', async () => {
    const compiled = sumsToOne({ precondition: () => false });
    const { outcome, witness, seen } = await sampleWithin({ ...request, compiled }, 3, () => true);
    expect([outcome.verdict, witness, seen]).toEqual(['vacuous', null, null]);
    const later = sumsToOne({ precondition: ([n]) => n === 3 });
    expect((await sampleWithin({ ...request, compiled: later }, 3)).witness?.sizes).toEqual({ n: 3 });
  });

  it('finds a cheap counterexample, and makes it smaller', async () => {
    const wrong = kernels((x) => (x.length > 1 ? x.map(() => 1) : softmax(x)));
    const { outcome, witness } = await sampleWithin({ ...request, kernels: wrong }, 3);
    expect(outcome).toMatchObject({
      verdict: 'falsified',
      counterexample: { input: { values: { x: { text: '[0, 0]' } } } },
    });
    expect(witness?.sizes).toEqual({ n: 1 });
    const { outcome: whole } = await sampleWithin({ ...request, kernels: wrong, shrinkBudget: 0 }, 3);
    expect(whole.counterexample?.shrinks).toBe(0);
  });

  it('sees the inputs of what decides cases without kernels, too', async () => {
    const executor = openExecutor(request);
    invariant(!('missing' in executor), 'the kernel is open');
    const { outcome, witness } = await sampleWithin({ ...request, kernels: new Map(), executor }, 3);
    expect([outcome.verdict, witness?.sizes]).toEqual(['tested', { n: 1 }]);
    const none: typeof executor = {
      ...executor,
      run: (count, _source, visit) => {
        for (let position = 0; position < count; position++) if (!visit('filtered', position, null)) return;
      },
    };
    expect((await sampleWithin({ ...request, executor: none }, 3)).witness).toBeNull();
    const filtering: typeof executor = {
      ...executor,
      run: (count, source, visit) => {
        for (let position = 0; position < count; position++) if (!visit('filtered', position, source(position))) return;
      },
    };
    expect((await sampleWithin({ ...request, executor: filtering }, 3)).witness).toBeNull();
  });

  it('leaves the domain of the goal as it was', async () => {
    const own = domain([size('n', 1, 512)], [input('x', ['n'], { lower: closed(0), upper: closed(1) })]);
    await sampleWithin({ ...request, goal: goalOf({ domain: own }) }, 2);
    expect(own.sizes[0]?.maximum).toBe(512);
  });
});
