/** Claims about a kernel of few inputs, planned as exhaustive proofs. */
import { functionBackend } from '../../../../src/backends/function-kernel.ts';
import { invariant } from '../../../../src/base/invariant.ts';
import { loadGoal } from '../../../../src/math/compile/load.ts';
import type { ExhaustiveRequest } from '../../../../src/methods/bounded/exhaustive/exhaustive.ts';
import { spaceOf } from '../../../../src/methods/bounded/exhaustive/space.ts';
import type { Check } from '../../../../src/plan/check.ts';
import { openKernels } from '../../../../src/plan/open-subjects.ts';
import { sizesFor } from '../../../../src/bounded-proofs/instantiate/sizes-for.ts';
import { planOf } from '../../../plan/projects.ts';

export interface Claim {
  readonly formula?: string;
  readonly domain?: string;
  readonly formal: string;
  readonly tolerance?: string;
  /** Of a gpu.js kernel named `kernel`. */
  readonly kernel?: string;
  readonly bound?: number;
}

/** 2·x over float16. */
const twice = {
  formula: 'D(x)_i = 2·x_i',
  domain: 'x ∈ F16^n, 1 ≤ n ≤ 8',
  kernel: 'return 2 * x[this.thread.x];',
};

/** The one bounded check of a claim. */
export async function exhaustiveCheck(claim: Claim): Promise<Check> {
  const { formula, domain, kernel, formal, tolerance, bound = 2 } = { ...twice, ...claim };
  const contract = `metadata: { version: "1.0.0", description: Small }
equations:
  small:
    formula: "${formula}"
    domain: "${domain}"
proof_obligations:
  - id: SM-1
    type: bound
    property: It holds
    formal: "${formal}"
    semantics: ieee
${tolerance === undefined ? '' : `    tolerance: ${tolerance}\n`}kani_harnesses:
  - { id: KANI-1, obligation: SM-1, strategy: exhaustive, bound: ${bound} }
`;
  const text = kernel.startsWith('export')
    ? kernel
    : `export function kernel(this: any, x: number[]): number { ${kernel} }`;
  const plan = await planOf({ 'small-v1': contract }, [{ contract: 'small-v1', equation: 'small', text }]);
  const check = plan.checks.find(({ method }) => method === 'bounded');
  invariant(check, 'the contract asks for a proof');
  return check;
}

/** What runs the claim, or why not every input can be run. */
export async function exhaustiveRequest(claim: Claim): Promise<ExhaustiveRequest | string> {
  const check = await exhaustiveCheck(claim);
  invariant(check.work.kind === 'bounded', 'the check is a bounded proof');
  const { goal, subjects, harness } = check.work;
  const sizes = sizesFor(goal.domain, harness.bound);
  if (!sizes.ok) return sizes.error;
  const space = spaceOf({ goal, subjects, sizes: sizes.value.sizes, complete: sizes.value.complete });
  if (!space.ok) return space.error;
  const opened = await openKernels(subjects, check, functionBackend);
  invariant(opened.ok, 'the kernel opens');
  const { kernels, toCall } = opened.value;
  const compiled = await loadGoal(goal);
  const common = { goal, compiled, kernels, toCall, seed: 1, harness, inPart: null, wrong: [], expired: () => false };
  return { ...common, space: space.value };
}
