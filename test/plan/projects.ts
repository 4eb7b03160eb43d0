/** Contracts and kernels as texts, elaborated and bound in memory: what a plan is made from. */
import { readContract } from '../../src/contract/read.ts';
import type { Contract } from '../../src/contract/contract.ts';
import { invariant } from '../../src/base/invariant.ts';
import { elaborateAll } from '../../src/audit/elaborate-all.ts';
import { makePlan, type Plan, type PlanOptions } from '../../src/plan/make-plan.ts';
import { planCall } from '../../src/subject/argument-sources.ts';
import { readBindings } from '../../src/subject/read-bindings.ts';
import type { BoundSubject } from '../../src/subject/bound-subject.ts';
import { readKernelProgram } from '../../src/subject/kernel-program.ts';

export const planOptions: PlanOptions = {
  seed: 1,
  cases: null,
  backends: ['ref32'],
  devices: ['any'],
  tool: { name: 'pv', version: '1.0.0', node: '20.0.0' },
};

export function contractOf(id: string, text: string): Contract {
  const { value } = readContract({ path: `contracts/${id}.yaml`, text });
  invariant(value, `${id} cannot be read`);
  return value;
}

export interface KernelText {
  readonly contract: string;
  readonly equation: string;
  readonly text: string;
  /** Further lines of the binding row. */
  readonly row?: string;
}

/** A gpu.js kernel named `kernel`, bound to an equation of contracts. */
export async function subjectOf(
  elaborated: ReturnType<typeof elaborateAll>,
  { contract, equation, text, row: more = '' }: KernelText,
): Promise<BoundSubject> {
  const model = elaborated.find((one) => one.contract.id === contract)?.equations.find(({ name }) => name === equation);
  const yaml = `bindings:\n  - contract: ${contract}\n    equation: ${equation}\n    module_path: k.ts\n    function: kernel\n${more}`;
  const [row] = readBindings({ path: 'binding.yaml', text: yaml }).value.rows;
  const program = await readKernelProgram({ path: 'k.ts', text }, 'kernel');
  invariant(model && row && program.value, `${contract}/${equation} cannot be bound`);
  const call = planCall(row, model).value;
  invariant(call, 'the row says how to call the kernel');
  const sources = call.arguments.slice(0, program.value.parameters.length);
  const common = { contract, equation, name: 'kernel', module: 'k.ts', line: 1, model, row };
  const loopMaxIterations = row.loopMax ?? program.value.loopMaxIterations;
  return { ...common, program: { ...program.value, loopMaxIterations }, arguments: sources, output: call.output };
}

/** Plans contracts (id → YAML) with gpu.js kernels named `kernel`. */
export async function planOf(
  texts: Readonly<Record<string, string>>,
  kernels: readonly KernelText[],
  options: Partial<PlanOptions> = {},
): Promise<Plan> {
  const elaborated = elaborateAll(Object.entries(texts).map(([id, text]) => contractOf(id, text)));
  const subjects = await Promise.all(kernels.map((kernel) => subjectOf(elaborated, kernel)));
  return makePlan(elaborated, subjects, { ...planOptions, ...options });
}

/** `method goal backend` → id, of every check. */
export function idsOf({ checks }: Plan): ReadonlyMap<string, string> {
  return new Map(checks.map(({ method, goal, backend, id }) => [`${method} ${goal} ${backend}`, id]));
}
