/** What a bounded proof says: proved only where everything was, with an input and a wrong kernel that was refused. */
import { describe, expect, it } from 'vitest';
import { invariant } from '../../../src/base/invariant.ts';
import type { DefinedCondition, SafetyCondition } from '../../../src/bounded-proofs/problem.ts';
import type { EngineOutcome, Model } from '../../../src/bounded-proofs/engines/engine.ts';
import { loadGoal } from '../../../src/math/compile/load.ts';
import { realExecutor } from '../../../src/methods/reals.ts';
import { planOf } from '../../plan/projects.ts';
import { runBounded } from '../../../src/methods/bounded/bounded.ts';
import type { BoundedRequest, WrongProgram } from '../../../src/methods/bounded/request.ts';
import {
  above,
  below,
  doubles,
  engine,
  graph,
  halfRequest,
  halves,
  holds,
  instanceOf,
  x,
  type Asked,
} from './half-request.ts';

/** Proves what is true of half of x, and leaves what is about a wrong kernel open. */
const honest = engine('interval', (one) => one !== above && one !== below);

type More = Partial<BoundedRequest> & { readonly single?: readonly string[] };

/** The outcome of a proof of a kernel that computes `body`, of which the wrong kernel doubles. */
async function outcomeOf(body: string, { single = ['doubles'], ...more }: More = {}) {
  const { request, wrong } = await halfRequest(body, { engines: [honest], ...more });
  return runBounded({ ...request, wrong: more.wrong ?? { single: single.map((id) => wrong(id)), pairs: [] } });
}

const at = (value: number): Model => new Map([['x[0]', value]]);
const unknown: EngineOutcome = { verdict: 'unknown', detail: 'too wide' };
const isStatement = (one: unknown): boolean => holds.kind === 'and' && holds.operands.some((part) => part === one);

describe('a proof', () => {
  it('holds where every statement was proved, an input exists, and a wrong kernel was refused', async () => {
    expect(await outcomeOf(halves)).toEqual({
      verdict: 'proved',
      reason: null,
      counterexample: null,
      proof: {
        harness: 'KANI-1',
        strategy: 'interval',
        about: 'float32 code',
        bound: 1,
        scope: 'n = 1',
        inPart: null,
        instances: 1,
        statements: 2,
        proved: 2,
        conditions: 0,
        safe: 0,
        engines: [{ engine: 'interval', version: '1', proved: 2 }],
        axioms: [],
        witness: { sizes: { n: 1 }, values: { x: expect.any(Object) as unknown } },
        refuted: { mutant: 'doubles', input: expect.any(Object) as unknown },
        open: [],
      },
    });
  });

  it('counts what each engine decided, and the axioms that it used, in order', async () => {
    const axioms = (one: 'rounding-relative' | 'exp-monotone'): EngineOutcome => ({
      verdict: 'proved',
      axioms: [one],
      detail: '',
    });
    invariant(holds.kind === 'and', 'it has two parts');
    const [low] = holds.operands;
    const first = engine('interval', (one) => (one === low ? axioms('rounding-relative') : unknown));
    const second = engine('smt', (one) => (isStatement(one) ? axioms('exp-monotone') : unknown));
    const { proof } = await outcomeOf(halves, { engines: [first, second], inPart: 'n = 2 is left out' });
    expect(proof.engines).toEqual([
      { engine: 'interval', version: '1', proved: 1 },
      { engine: 'smt', version: '1', proved: 1 },
    ]);
    expect(proof).toMatchObject({ axioms: ['exp-monotone', 'rounding-relative'], inPart: 'n = 2 is left out' });
  });

  it('is of every choice of sizes, each requested once', async () => {
    const asked: unknown[] = [];
    const instanceAt: BoundedRequest['instanceAt'] = (sizes) => {
      asked.push(sizes);
      return { ok: true, value: instanceOf(holds) };
    };
    const { proof } = await outcomeOf(halves, { instanceAt, sizes: { sizes: [[1], [2], [3]], scope: 'some' } });
    expect(asked).toEqual([[1], [2], [3]]);
    expect(proof).toMatchObject({ scope: 'some', instances: 3, statements: 6, proved: 6 });
  });

  it('names what stood in for kernels, where a statement may use it', async () => {
    const record = (goal: string) => ({ goal, harness: 'K', check: 'sha256:s', scope: 'n = 1' });
    const instanceAt: BoundedRequest['instanceAt'] = () => ({
      ok: true,
      value: instanceOf(holds, { assumed: [{ goal: 'sub-v1/A', statement: graph.truth(true) }] }),
    });
    const { verdict, proof } = await outcomeOf(halves, {
      instanceAt,
      assumed: [record('sub-v1/A'), record('sub-v1/B')],
    });
    expect(verdict).toBe('proved');
    expect(proof.assumed).toEqual([record('sub-v1/A')]);
    expect((await outcomeOf(halves)).proof).not.toHaveProperty('assumed');
  });

  it('does not hold if what replaces a kernel is false for an input', async () => {
    const assumed = [{ goal: 'sub-v1/A', statement: graph.truth(false) }];
    const { verdict, reason } = await outcomeOf(halves, {
      instanceAt: () => ({ ok: true, value: instanceOf(holds, { assumed }) }),
      assumed: [{ goal: 'sub-v1/A', harness: 'K', check: 'sha256:s', scope: 'n = 1' }],
    });
    expect([verdict, reason]).toEqual([
      'undetermined',
      'sub-v1/A is assumed about a kernel that breaks it on an input: a defect of pv, or of another run',
    ]);
  });
});

describe('a claim that is false', () => {
  it('is falsified by an input that was tried first, without an engine', async () => {
    const asked: Asked[] = [];
    const { verdict, counterexample, proof } = await outcomeOf(doubles, {
      engines: [engine('smt', () => true, asked)],
    });
    expect([verdict, asked]).toEqual(['falsified', []]);
    expect(Math.abs(Number(counterexample?.outputs[0]?.slice(1, -1)))).toBeGreaterThan(50);
    expect(proof).toMatchObject({ instances: 0, refuted: null });
  });

  const onlyAt = 'x[this.thread.x] === 77.125 ? 51 : x[this.thread.x] / 2';

  it('is falsified by the input that an engine found, once the kernel breaks there', async () => {
    const finds = engine('smt', () => at(77.125));
    const { verdict, reason, counterexample } = await outcomeOf(onlyAt, { engines: [finds] });
    expect(verdict).toBe('falsified');
    expect(counterexample?.input.values['x']?.text).toBe('[77.125]');
    expect(reason).toBe(counterexample?.explanation);
  });

  it('is open where the kernel holds at what an engine found', async () => {
    for (const model of [at(3), at(1e9), new Map()]) {
      const { verdict, reason, counterexample } = await outcomeOf(onlyAt, { engines: [engine('smt', () => model)] });
      expect([verdict, counterexample]).toEqual(['undetermined', null]);
      expect(reason).toContain('an artefact of the axioms');
    }
  });
});

describe('a proof that is open', () => {
  it.each<[string, EngineOutcome, string]>([
    ['unknown', unknown, 'interval: unknown (too wide)'],
    [
      'out of steps',
      { verdict: 'exhausted', budget: 'steps', detail: '10 splits' },
      'interval: ran out of steps (10 splits)',
    ],
  ])('says what is open, and why: %s', async (_, outcome, why) => {
    const { verdict, reason, proof } = await outcomeOf(halves, { engines: [engine('interval', () => outcome)] });
    const text = `n = 1: ${why}`;
    expect([verdict, reason]).toEqual([
      'undetermined',
      `0 of 2 statements and 0 of 0 conditions proved; open: ${text}`,
    ]);
    expect(proof).toMatchObject({ statements: 2, proved: 0, open: [text, text], refuted: null });
  });

  it('says what each engine said, and keeps the first five', async () => {
    const engines = [engine('interval', () => unknown), engine('smt', () => false)];
    const sizes = { sizes: [[1], [1], [1]], scope: 'n = 1' };
    const { proof } = await outcomeOf(halves, { engines, sizes });
    expect(proof.open).toHaveLength(5);
    expect(proof.open[0]).toBe('n = 1: interval: unknown (too wide); smt: unknown ()');
    expect((await outcomeOf(halves, { engines: [], sizes: { sizes: [[1]], scope: '' } })).proof.open).toEqual([
      'n = 1: not tried: no time was left',
      'n = 1: not tried: no time was left',
    ]);
  });

  it('holds of no sizes at which the code cannot be read', async () => {
    const instanceAt: BoundedRequest['instanceAt'] = ([n]) =>
      n === 1 ? { ok: true, value: instanceOf(holds) } : { ok: false, error: 'the loop has no end' };
    const { verdict, reason, proof } = await outcomeOf(halves, { instanceAt, sizes: { sizes: [[1], [2]], scope: '' } });
    expect([verdict, reason, proof.instances]).toEqual(['undetermined', 'the loop has no end', 1]);
  });
});

describe('a condition of the code or the claim', () => {
  const place = { line: 3, column: 7 };
  const tooSmall = graph.less(graph.absolute(x), graph.integer(100));
  const safety = (condition = tooSmall): SafetyCondition => ({
    kind: 'overflow',
    place,
    condition,
    text: '|x| < 100',
  });
  const defined: DefinedCondition = { kind: 'division', condition: tooSmall, text: 'x ≠ 0' };
  const proving = (conditions: {
    readonly safety?: readonly SafetyCondition[];
    readonly defined?: readonly DefinedCondition[];
  }) =>
    ({
      instanceAt: () => ({ ok: true, value: instanceOf(holds, conditions) }),
    }) satisfies More;

  it('is counted where it is proved', async () => {
    const { verdict, proof } = await outcomeOf(halves, proving({ safety: [safety()], defined: [defined] }));
    expect(verdict).toBe('proved');
    expect(proof).toMatchObject({ conditions: 2, safe: 2, statements: 2, engines: [{ proved: 4 }] });
  });

  it('leaves the proof open where it is not, with its place and the input at which it fails', async () => {
    const engines = [engine('interval', (one) => isStatement(one))];
    const open = async (more: More) => (await outcomeOf(halves, { engines, ...more })).proof;
    // At a corner of the domain, where the engine names no input.
    expect(await open(proving({ safety: [safety()] }))).toMatchObject({
      conditions: 1,
      safe: 0,
      open: ['n = 1: overflow at 3:7 (|x| < 100): it fails at x = [100]'],
    });
    expect((await open(proving({ defined: [defined] }))).open).toEqual([
      'n = 1: division in the claim (x ≠ 0): it fails at x = [100]',
    ]);
    // It holds at every corner, so this stays open.
    const odd = graph.not(graph.equal(x, graph.integer(7)));
    expect((await open(proving({ safety: [safety(odd)] }))).open).toEqual([
      'n = 1: overflow at 3:7 (|x| < 100): interval: unknown ()',
    ]);
    const finds = [engine('interval', (one) => (isStatement(one) ? true : at(7)))];
    expect((await open({ ...proving({ safety: [safety(odd)] }), engines: finds })).open).toEqual([
      'n = 1: overflow at 3:7 (|x| < 100): it fails at x = [7]',
    ]);
    const astray = [engine('interval', (one) => (isStatement(one) ? true : at(8)))];
    expect((await open({ ...proving({ safety: [safety(odd)] }), engines: astray })).open[0]).toContain('artefact');
  });

  it('that fails at an input is not a counterexample of the claim', async () => {
    const engines = [engine('interval', (one) => (isStatement(one) ? true : at(100)))];
    const found = await outcomeOf(halves, { ...proving({ safety: [safety()] }), engines });
    expect([found.verdict, found.counterexample]).toEqual(['undetermined', null]);
    expect(found.reason).toBe(
      '2 of 2 statements and 0 of 1 condition proved; open: n = 1: overflow at 3:7 (|x| < 100): it fails at x = [100]',
    );
  });
});

describe('a wrong kernel', () => {
  it('that the proof accepts as well is a defect', async () => {
    const { verdict, reason } = await outcomeOf(halves, { engines: [engine('smt', () => true)] });
    expect([verdict, reason]).toEqual([
      'undetermined',
      'the proof accepts doubles as well, which breaks the claim: a defect of pv',
    ]);
  });

  it('must be refused: where none breaks the claim the proof is vacuous', async () => {
    const { request, wrong } = await halfRequest(halves, { engines: [honest] });
    const harmless = (id: string): WrongProgram => ({
      ...wrong(id),
      open: () => Promise.resolve({ kernels: request.kernels }),
    });
    const one = await runBounded({ ...request, wrong: { single: [harmless('a')], pairs: [] } });
    expect([one.verdict, one.reason]).toEqual(['vacuous', 'none of 1 wrong kernel breaks the claim within the bound']);
    const three = await runBounded({
      ...request,
      wrong: { single: [harmless('a')], pairs: [harmless('b'), harmless('c')] },
    });
    expect(three.reason).toBe('none of 3 wrong kernels breaks the claim within the bound');
    expect(three.proof).toMatchObject({ proved: 2, refuted: null });
  });
});

describe('a claim without an input', () => {
  it('is vacuous', async () => {
    const { request } = await halfRequest(halves, { engines: [honest] });
    const compiled = { ...request.compiled, precondition: () => false };
    const found = await runBounded({ ...request, compiled });
    expect(found).toMatchObject({
      verdict: 'vacuous',
      reason: 'no input within the bound satisfies the preconditions',
      proof: { witness: null, instances: 0 },
    });
    const late = await runBounded({ ...request, compiled, expired: () => true });
    expect([late.verdict, late.reason]).toEqual(['incomplete', 'the time budget ended before an input was tried']);
  });

  it('that cannot be evaluated is undetermined', async () => {
    const { request } = await halfRequest(halves, { engines: [honest] });
    const found = await runBounded({ ...request, kernels: new Map() });
    expect([found.verdict, found.reason]).toEqual(['undetermined', 'no kernel is open for half']);
  });
});

describe('the time of a proof', () => {
  /** The outcome where the time ends once `ends` says so of the statements asked about. */
  async function late(ends: (asked: number) => boolean, engines = [honest], more: More = {}) {
    const asked: Asked[] = [];
    const noting = engines.map((one) => ({
      ...one,
      decide: (...args: Parameters<typeof one.decide>) => {
        asked.push([one.id, args[0].conclusion]);
        return one.decide(...args);
      },
    }));
    const { verdict, reason } = await outcomeOf(halves, {
      engines: noting,
      expired: () => ends(asked.length),
      ...more,
    });
    return [verdict, reason];
  }
  const sizes = { sizes: [[1], [1], [1]], scope: '' };

  it('that ends between sizes leaves it incomplete, with how far it came', async () => {
    expect(await late((asked) => asked >= 2, [honest], { sizes })).toEqual([
      'incomplete',
      'the time budget ended after 1 of 3 choices of sizes',
    ]);
  });

  it('that ends with a statement open does not say that it is open', async () => {
    expect(await late((asked) => asked >= 2, [engine('interval', () => unknown)])).toEqual([
      'incomplete',
      'the time budget ended: 0 of 2 statements and 0 of 0 conditions proved; open: n = 1: interval: unknown (too wide)',
    ]);
  });

  it('that ends before a condition leaves the rest of them open', async () => {
    const text = 'x is x';
    const condition = graph.lessEqual(x, graph.integer(200));
    const safety: SafetyCondition[] = [1, 2].map((line) => ({
      kind: 'index',
      place: { line, column: 1 },
      condition,
      text,
    }));
    const instanceAt = () => ({ ok: true, value: instanceOf(holds, { safety }) }) as const;
    expect(await late((asked) => asked >= 2, [honest], { instanceAt })).toEqual([
      'incomplete',
      'the time budget ended: 2 of 2 statements and 0 of 0 conditions proved; open: n = 1: index at 1:1 (x is x): not tried: no time was left',
    ]);
  });

  it('that ends before a wrong kernel was seen leaves it incomplete', async () => {
    expect(await late((asked) => asked >= 2, [honest], { single: [] })).toEqual([
      'incomplete',
      'the time budget ended before a wrong kernel was seen to break the claim',
    ]);
  });
});

describe('a proof about the formula', () => {
  it('is broken by a number beyond those of kernels, of which no sample is', async () => {
    const text = `metadata: { version: "1.0.0", description: Whole numbers }
equations:
  f: { formula: "f(k) = k", domain: "k ∈ ℤ, k ≥ 1" }
proof_obligations:
  - { id: F-1, type: bound, property: p, formal: "f(k) ≤ 1e12", semantics: real }
`;
    const goal = (await planOf({ 'f-v1': text }, [])).contracts[0]?.goals[0]?.goal;
    invariant(goal, 'the claim is a goal');
    const compiled = await loadGoal(goal);
    const executor = realExecutor({ goal, compiled, equations: goal.overReals?.equations ?? [] });
    const { request } = await halfRequest(halves, { engines: [honest] });
    const own = { ...request, goal, compiled, executor, kernels: new Map(), formula: { goal, executor } };
    const found = await runBounded(own);
    expect(found.verdict).toBe('falsified');
    expect(found.counterexample?.explanation).toContain('over the reals');
    expect(found.proof.instances).toBe(0);
    expect((await runBounded({ ...own, formula: null })).counterexample).toBeNull();
  });
});
