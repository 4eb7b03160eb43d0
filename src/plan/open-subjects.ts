/**
 * From the subjects of a check to open kernels and the calls that goals make of them.
 */
import type { OpenKernel } from '../backends/backend.ts';
import { equationKernel } from '../backends/equation-kernel.ts';
import { loadBackend } from '../backends/registry.ts';
import { isDeclaredOnly, type EquationModel } from '../contract/goal.ts';
import { loadEquation } from '../math/compile/load.ts';
import { failureMessage, type ToCall } from '../methods/execute.ts';
import { callBuilder, type CallBuilder } from '../subject/call.ts';
import type { BackendId, KernelCall } from '../subject/kernel.ts';
import type { WorkSubject } from './check.ts';

export interface OpenSubjects {
  readonly kernels: ReadonlyMap<string, OpenKernel>;
  readonly toCall: ToCall;
  readonly close: () => Promise<void>;
}

export type OpenedSubjects =
  { readonly ok: true; readonly value: OpenSubjects } | { readonly ok: false; readonly reason: string };

/** The bound kernels on a backend; plain functions run as they are, wherever the others run. */
export async function openKernels(
  subjects: readonly WorkSubject[],
  backend: BackendId | 'decimal',
): Promise<OpenedSubjects> {
  if (backend === 'decimal') return { ok: false, reason: 'no kernel runs in arbitrary precision' };
  const kernels = new Map<string, OpenKernel>();
  const builders = new Map<string, CallBuilder>();
  for (const { equation, model, bound } of subjects) {
    if (!bound) return { ok: false, reason: `no kernel is bound to ${equation}` };
    const opened = await (
      await loadBackend(bound.program.language === 'function' ? 'function' : backend)
    ).open(bound.program);
    if (!opened.ok)
      return { ok: false, reason: `${bound.name} does not run on ${backend}: ${failureMessage(opened.failure)}` };
    kernels.set(equation, opened.kernel);
    builders.set(equation, callBuilder(bound, model));
  }
  return opened(kernels, builders);
}

/** The equations themselves, every operation rounded to float32: what a right kernel does. */
export async function openEquations(subjects: readonly WorkSubject[]): Promise<OpenedSubjects> {
  const kernels = new Map<string, OpenKernel>();
  const builders = new Map<string, CallBuilder>();
  for (const { equation, model } of subjects) {
    if (isDeclaredOnly(model)) return { ok: false, reason: `${equation} is only declared: it has no formula to run` };
    kernels.set(equation, await openEquation(model));
    builders.set(equation, equationCall(model));
  }
  return opened(kernels, builders);
}

/** One equation in float32 as a kernel. */
export async function openEquation(model: EquationModel): Promise<OpenKernel> {
  const compiled = await loadEquation(model, { arithmetic: 'float32' });
  return equationKernel({
    equation: compiled,
    arithmetic: 'f32',
    parameters: model.parameters.length,
    sizes: model.sizes.length,
  });
}

/** An equation is called with all its parameters and then all its sizes, whatever its kernel takes. */
export function equationCall(model: EquationModel): CallBuilder {
  const sources = [
    ...model.parameters.map((_, index) => ({ kind: 'parameter', index }) as const),
    ...model.sizes.map((_, index) => ({ kind: 'size', index }) as const),
  ];
  return callBuilder({ arguments: sources, output: null }, model);
}

function opened(kernels: ReadonlyMap<string, OpenKernel>, builders: ReadonlyMap<string, CallBuilder>): OpenedSubjects {
  const toCall: ToCall = (application, args, sizes): KernelCall => {
    const builder = builders.get(application.equation);
    return builder ? builder(sizes, args) : { arguments: [], shapes: [], outputShape: [] };
  };
  const close = async (): Promise<void> => {
    await Promise.all([...kernels.values()].map((kernel) => kernel.close()));
  };
  return { ok: true, value: { kernels, toCall, close } };
}
