/**
 * From the subjects of a check to open kernels and the calls that goals make of them.
 */
import type { Backend, OpenKernel } from '../backends/backend.ts';
import type { DeviceTrouble } from '../backends/gpu-trouble.ts';
import { equationKernel } from '../backends/equation-kernel.ts';
import { loadBackend } from '../backends/registry.ts';
import { isDeclaredOnly, type EquationModel } from '../contract/goal.ts';
import { loadEquation } from '../math/compile/load.ts';
import { failureMessage, type ToCall } from '../methods/runs/execute.ts';
import type { BoundSubject } from '../subject/bound-subject.ts';
import { callBuilder, type CallBuilder } from '../subject/call.ts';
import type { BackendId, KernelCall, KernelProgram } from '../subject/kernel.ts';
import type { Check, WorkSubject } from './check.ts';

/** The kernels of one check, ready to be called. */
export interface OpenSubjects {
  readonly kernels: ReadonlyMap<string, OpenKernel>;
  readonly toCall: ToCall;
  /** What went wrong with the device while kernels ran on it; null while nothing has. */
  readonly trouble: () => DeviceTrouble | null;
  readonly close: () => Promise<void>;
}

/** A fault of a device, or a shader that it refuses: `refused` is that shader, and what its compiler says. */
export type Trouble = DeviceTrouble | { readonly refused: BoundSubject; readonly message: string };

/** The kernels, or why one of them cannot run here. */
export type OpenedSubjects =
  | { readonly ok: true; readonly value: OpenSubjects }
  | { readonly ok: false; readonly reason: string; readonly trouble?: Trouble };

/** The bound kernels on a backend, and the formulas that run in place of others; plain functions run where `functions` runs them, wherever the others run. */
export async function openKernels(
  subjects: readonly WorkSubject[],
  { backend, device }: Pick<Check, 'backend' | 'device'>,
  functions: Backend,
): Promise<OpenedSubjects> {
  if (backend === 'decimal') return { ok: false, reason: 'no kernel runs in arbitrary precision' };
  let trouble: DeviceTrouble | null = null;
  const note = (found: DeviceTrouble): void => void (trouble ??= found);
  const kernels = new Map<string, OpenKernel>();
  const builders = new Map<string, CallBuilder>();
  for (const { equation, model, bound, byFormula } of subjects) {
    if (byFormula) {
      kernels.set(equation, await openEquation(model, byFormula));
      builders.set(equation, equationCall(model));
      continue;
    }
    if (!bound) return { ok: false, reason: `no kernel is bound to ${equation}` };
    const place =
      bound.program.language === 'function' ? functions : await loadBackend(placeOf(bound.program, backend));
    const opened = await place.open(bound.program, device);
    if (!opened.ok) {
      await Promise.all([...kernels.values()].map((kernel) => kernel.close()));
      const reason = `${bound.name} does not run on ${backend}: ${failureMessage(opened.failure)}`;
      const { failure } = opened;
      if (failure.kind === 'refused')
        return { ok: false, reason, trouble: { refused: bound, message: failure.message } };
      return failure.kind === 'device' ? { ok: false, reason, trouble: failure.trouble } : { ok: false, reason };
    }
    kernels.set(equation, device === undefined ? opened.kernel : watched(opened.kernel, note));
    builders.set(equation, callBuilder(bound, model));
  }
  return opened(kernels, builders, () => trouble);
}

/** Shaders run on devices alone, whatever the others run on. */
function placeOf({ language }: KernelProgram, backend: BackendId): BackendId {
  return language === 'wgsl' && backend !== 'webgpu-browser' ? 'webgpu' : backend;
}

/** The kernel, which reports faults of its device to `note`. */
function watched(kernel: OpenKernel, note: (trouble: DeviceTrouble) => void): OpenKernel {
  return {
    ...kernel,
    run: async (calls) => {
      const outcomes = await kernel.run(calls);
      for (const outcome of outcomes)
        if (!outcome.ok && outcome.failure.kind === 'device') note(outcome.failure.trouble);
      return outcomes;
    },
  };
}

/** The equations themselves, every operation rounded to float32 (or float64): what a correct kernel does. */
export async function openEquations(
  subjects: readonly WorkSubject[],
  arithmetic: 'f32' | 'f64' = 'f32',
): Promise<OpenedSubjects> {
  const kernels = new Map<string, OpenKernel>();
  const builders = new Map<string, CallBuilder>();
  for (const { equation, model } of subjects) {
    if (isDeclaredOnly(model)) return { ok: false, reason: `${equation} is only declared: it has no formula to run` };
    kernels.set(equation, await openEquation(model, arithmetic));
    builders.set(equation, equationCall(model));
  }
  return opened(kernels, builders);
}

/** One equation as a kernel: in float32, or in float64 to compare others with. */
export async function openEquation(model: EquationModel, arithmetic: 'f32' | 'f64' = 'f32'): Promise<OpenKernel> {
  const compiled = await loadEquation(model, { arithmetic: arithmetic === 'f32' ? 'float32' : 'float64' });
  return equationKernel({
    equation: compiled,
    arithmetic,
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

function opened(
  kernels: ReadonlyMap<string, OpenKernel>,
  builders: ReadonlyMap<string, CallBuilder>,
  trouble: OpenSubjects['trouble'] = () => null,
): OpenedSubjects {
  const toCall: ToCall = (application, args, sizes): KernelCall => {
    const builder = builders.get(application.equation);
    return builder ? builder(sizes, args) : { arguments: [], shapes: [], outputShape: [] };
  };
  const close = async (): Promise<void> => {
    await Promise.all([...kernels.values()].map((kernel) => kernel.close()));
  };
  return { ok: true, value: { kernels, toCall, trouble, close } };
}
