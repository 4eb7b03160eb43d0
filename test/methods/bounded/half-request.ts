/** A claim about a kernel that halves one number, -50 ≤ h(x) ≤ 50 for |x| ≤ 100, as a bounded proof with engines of one's own. */
import { functionBackend } from '../../../src/backends/function-kernel.ts';
import { invariant } from '../../../src/base/invariant.ts';
import type { Engine, EngineId, EngineOutcome, Model } from '../../../src/bounded-proofs/engines/engine.ts';
import { Graph, type BooleanExpression } from '../../../src/bounded-proofs/expression.ts';
import type { ProofInstance } from '../../../src/bounded-proofs/problem.ts';
import { loadGoal } from '../../../src/math/compile/load.ts';
import type { BoundedRequest, WrongProgram } from '../../../src/methods/bounded/request.ts';
import { fraction } from '../../../src/numeric/rational.ts';
import { openKernels } from '../../../src/plan/open-subjects.ts';
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

export const graph = new Graph();
export const x = graph.variable('x[0]');
const twice = graph.multiply(x, graph.integer(2));
const halved = graph.multiply(x, graph.constant(fraction(1n, 2n)));

/** Of two times x: true where the input that breaks the claim is positive or negative, and false of it. */
export const above = graph.lessEqual(graph.integer(-50), twice);
export const below = graph.lessEqual(twice, graph.integer(50));
/** Of half of x: true of every input. */
export const holds = graph.and([
  graph.lessEqual(graph.integer(-50), halved),
  graph.lessEqual(halved, graph.integer(50)),
]);

const variable = { name: 'x[0]', expression: x, format: 'f32', choices: null } as const;
const variables = [{ ...variable, low: fraction(-100n), high: fraction(100n) }];

/** The claim at n = 1 where the code gives what `conclusion` is about. */
export function instanceOf(conclusion: BooleanExpression, more: Partial<ProofInstance> = {}): ProofInstance {
  const problem = { graph, variables, premises: [], conclusion };
  return { sizes: { n: 1 }, subject: 'kernel', problem, safety: [], defined: [], outputs: [], assumed: [], ...more };
}

export type Asked = readonly [EngineId, BooleanExpression];

/** An engine that proves or refutes what `decides` says, and notes what it was asked. */
export function engine(
  id: EngineId,
  decides: (statement: BooleanExpression) => boolean | Model | EngineOutcome,
  asked: Asked[] = [],
): Engine {
  return {
    id,
    version: '1',
    decide: ({ conclusion }): Promise<EngineOutcome> => {
      asked.push([id, conclusion]);
      const found = decides(conclusion);
      if (typeof found === 'object' && 'verdict' in found) return Promise.resolve(found);
      if (found === true) return Promise.resolve({ verdict: 'proved', axioms: [], detail: '' });
      if (found === false) return Promise.resolve({ verdict: 'unknown', detail: '' });
      return Promise.resolve({ verdict: 'refuted', model: found, axioms: [], detail: '' });
    },
    close: () => Promise.resolve(),
  };
}

const kernelText = (body: string): string =>
  `export function kernel(this: any, x: number[]): number { return ${body}; }`;
export const doubles = 'x[this.thread.x] * 2';
export const halves = 'x[this.thread.x] / 2';

export interface Opened {
  readonly request: BoundedRequest;
  /** A wrong kernel that doubles. */
  readonly wrong: (id: string, more?: Partial<ProofInstance>) => WrongProgram;
}

/** The proof of a kernel that computes `body`. */
export async function halfRequest(body: string, more: Partial<BoundedRequest> = {}): Promise<Opened> {
  const opened = async (text: string) => {
    const plan = await planOf({ 'half-v1': contract }, [
      { contract: 'half-v1', equation: 'half', text: kernelText(text) },
    ]);
    const check = plan.checks.find(({ method }) => method === 'bounded');
    invariant(check?.work.kind === 'bounded', 'the contract asks for a proof');
    const kernels = await openKernels(check.work.subjects, check, functionBackend);
    invariant(kernels.ok, 'the kernel opens');
    return { ...check.work, ...kernels.value };
  };
  const { goal, harness, kernels, toCall } = await opened(body);
  const doubling = body === doubles ? kernels : (await opened(doubles)).kernels;
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
    instanceAt: () => ({ ok: true, value: instanceOf(holds) }),
    wrong: { single: [], pairs: [] },
    assumed: [],
    engines: [],
    budget: { steps: 1, timeoutMs: 1 },
    expired: () => false,
    remainingMs: () => 1,
    ...more,
  };
  return {
    request,
    wrong: (id, instance = {}) => ({
      id,
      instanceAt: () => ({ ok: true, value: instanceOf(graph.and([above, below]), instance) }),
      open: () => Promise.resolve({ kernels: doubling }),
    }),
  };
}
