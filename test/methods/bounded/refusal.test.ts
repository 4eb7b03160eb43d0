/** Of a wrong kernel, the proof must leave a statement open: which engines look at which statements. */
import { functionBackend } from '../../../src/backends/function-kernel.ts';
import { describe, expect, it } from 'vitest';
import { invariant } from '../../../src/base/invariant.ts';
import { loadGoal } from '../../../src/math/compile/load.ts';
import type { BoundedRequest, WrongProgram } from '../../../src/methods/bounded/request.ts';
import { refuseWrongKernel } from '../../../src/methods/bounded/refusal.ts';
import { openKernels } from '../../../src/plan/open-subjects.ts';
import type { Engine, EngineId, EngineOutcome } from '../../../src/bounded-proofs/engines/engine.ts';
import { Graph, type BooleanExpression } from '../../../src/bounded-proofs/expression.ts';
import { fraction } from '../../../src/numeric/rational.ts';
import type { DefinedCondition } from '../../../src/bounded-proofs/problem.ts';
import { planOf } from '../../plan/projects.ts';

const contract = `metadata: { version: "1.0.0", description: Halves }
equations:
  half:
    formula: "h(x)_i = x_i / 2"
    domain: "x ∈ F32^n, 1 ≤ n ≤ 1, |x_i| ≤ 100"
proof_obligations:
  - { id: H-1, type: bound, property: It holds, formal: "-50 ≤ h(x)_i ≤ 50", semantics: ieee }
kani_harnesses:
  - { id: KANI-1, obligation: H-1, strategy: interval, bound: 1 }
`;
const doubles = 'export function kernel(this: any, x: number[]): number { return x[this.thread.x] * 2; }';

const graph = new Graph();
const x = graph.variable('x[0]');
const twice = graph.multiply(x, graph.integer(2));
/** Of two times x: true where the input that breaks the claim is positive or negative, and false of it. */
const above = graph.lessEqual(graph.integer(-50), twice);
const below = graph.lessEqual(twice, graph.integer(50));

type Asked = readonly [EngineId, BooleanExpression];

/** An engine that proves what `proves` says, and notes what it was asked. */
function engine(id: EngineId, proves: (statement: BooleanExpression) => boolean, asked: Asked[]): Engine {
  return {
    id,
    version: '1',
    decide: ({ conclusion }) => {
      asked.push([id, conclusion]);
      const outcome: EngineOutcome = proves(conclusion)
        ? { verdict: 'proved', axioms: [], detail: '' }
        : { verdict: 'unknown', detail: '' };
      return Promise.resolve(outcome);
    },
    close: () => Promise.resolve(),
  };
}

/** What becomes of a kernel that doubles, where the claim is about one that halves. */
async function refusal(
  engines: readonly Engine[],
  restsOn: readonly Engine[],
  defined: readonly DefinedCondition[] = [],
  {
    single = ['doubles'],
    pairs = [],
  }: { readonly single?: readonly string[]; readonly pairs?: readonly string[] } = {},
) {
  const plan = await planOf({ 'half-v1': contract }, [{ contract: 'half-v1', equation: 'half', text: doubles }]);
  const check = plan.checks.find(({ method }) => method === 'bounded');
  invariant(check?.work.kind === 'bounded', 'the contract asks for a proof');
  const { goal, harness, subjects } = check.work;
  const opened = await openKernels(subjects, check, functionBackend);
  invariant(opened.ok, 'the kernel opens');
  const { kernels, toCall, close } = opened.value;
  const variable = { name: 'x[0]', expression: x, format: 'f32', choices: null } as const;
  const problem = {
    graph,
    variables: [{ ...variable, low: fraction(-100n), high: fraction(100n) }],
    premises: [],
    conclusion: graph.and([above, below]),
  };
  const instance = { sizes: { n: 1 }, subject: 'kernel', problem } as const;
  const wrong = (id: string): WrongProgram => ({
    id,
    instanceAt: () => ({ ok: true, value: { ...instance, safety: [], defined, outputs: [], assumed: [] } }),
    open: () => Promise.resolve({ kernels }),
  });
  const request: BoundedRequest = {
    goal,
    formula: null,
    compiled: await loadGoal(goal),
    kernels,
    toCall,
    seed: 1,
    harness,
    about: 'float32 code',
    sizes: { sizes: [[1]], scope: 'n = 1' },
    inPart: null,
    instanceAt: () => ({ ok: false, error: 'the right kernel is not asked for' }),
    wrong: { single: single.map(wrong), pairs: pairs.map(wrong) },
    assumed: [],
    engines,
    budget: { steps: 1, timeoutMs: 1 },
    expired: () => false,
    remainingMs: () => 1,
  };
  const found = await refuseWrongKernel(request, restsOn);
  await close();
  return found;
}

const never = (): boolean => false;
const always = (): boolean => true;

describe('a wrong kernel', () => {
  it('is refused where the engines of the proof leave open what is false of it, and no other is asked', async () => {
    const asked: Asked[] = [];
    const [algebra, smt] = [engine('algebra', never, asked), engine('smt', always, asked)];
    const found = await refusal([algebra, smt], [algebra]);
    expect(found).toMatchObject({ kind: 'refused', refuted: { mutant: 'doubles' } });
    invariant(found.kind === 'refused', 'as was just seen');
    const input = Number(/-?[\d.]+/u.exec(found.refuted.input.values['x']?.text ?? '')?.[0]);
    expect(asked).toEqual([['algebra', input < 0 ? above : below]]);
  });

  it('is refused by a condition that fails at the input, before what it claims there', async () => {
    const asked: Asked[] = [];
    const smt = engine('smt', (one) => one === above || one === below, asked);
    const outside = graph.less(graph.integer(100), graph.absolute(x));
    const failing = { kind: 'invalid', condition: outside, text: '100 < |x|' } as const;
    expect(await refusal([smt], [smt], [failing])).toMatchObject({ kind: 'refused' });
    expect(asked).toEqual([['smt', outside]]);
  });

  it('is accepted where all engines together prove all of it, and that is a defect', async () => {
    const asked: Asked[] = [];
    const [algebra, smt] = [engine('algebra', (one) => one === above, asked), engine('smt', always, asked)];
    expect(await refusal([algebra, smt], [smt])).toEqual({ kind: 'accepted', mutant: 'doubles' });
    expect(asked.length).toBeGreaterThan(2);
  });

  it('is looked at by all engines where the proof rests on none', async () => {
    const asked: Asked[] = [];
    const [algebra, smt] = [engine('algebra', never, asked), engine('smt', never, asked)];
    expect(await refusal([algebra, smt], [])).toMatchObject({ kind: 'refused' });
    expect(asked.map(([id]) => id)).toEqual(['algebra', 'smt']);
  });

  it('is refused by another statement that stays open, where one that is false was proved', async () => {
    const [algebra, smt] = [engine('algebra', never, []), engine('smt', always, [])];
    expect(await refusal([algebra], [smt])).toMatchObject({ kind: 'refused' });
  });

  it('is looked for among pairs of mistakes too, whether a single mistake was refused or none breaks the claim', async () => {
    let asked = 0;
    const first = engine('smt', () => asked++ > 0, []);
    // The first statement asked about stays open: the single mistake is refused, and the pair accepted.
    expect(await refusal([first], [], [], { pairs: ['and more'] })).toEqual({ kind: 'accepted', mutant: 'and more' });
    const never = engine('smt', () => false, []);
    expect(await refusal([never], [], [], { pairs: ['and more'] })).toMatchObject({ refuted: { mutant: 'doubles' } });
    expect(await refusal([never], [], [], { single: [], pairs: ['and more'] })).toMatchObject({
      refuted: { mutant: 'and more' },
    });
  });
});
