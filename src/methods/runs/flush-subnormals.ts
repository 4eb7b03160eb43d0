/**
 * Cases for GPUs, which may flush every subnormal float32 to 0 (WGSL, section 15.7.2; OpenGL ES 3.0.6,
 * section 2.1.1; SwiftShader and llvmpipe do).
 */
import type { Case } from '../../math/compile/compiled.ts';
import type { DomainPlan } from '../../runtime/generate/domain-plan.ts';
import type { CaseBuffer } from '../../runtime/generate/generator.ts';
import { violation } from '../../runtime/generate/membership.ts';
import { isGpuBackend } from '../../subject/kernel.ts';
import type { ExecutionRequest } from './execute.ts';

/** The smallest normal float32. */
const smallestNormal = 2 ** -126;

/** Whether some kernel of the request runs on a device. */
export function runsOnDevice({ kernels }: Pick<ExecutionRequest, 'kernels'>): boolean {
  return [...kernels.values()].some(({ ran }) => isGpuBackend(ran.backend));
}

/**
 * Replaces every subnormal number of the case by 0, or by the smallest normal number if the domain excludes 0. Leaves a case
 * unchanged if its domain has neither.
 */
export function flushSubnormals(plan: DomainPlan, candidate: CaseBuffer): void {
  const found: { readonly x: number; readonly write: (x: number) => void }[] = [];
  const look = (x: number, write: (x: number) => void): void => {
    if (x !== 0 && Math.abs(x) < smallestNormal) found.push({ x, write });
  };
  for (const [at, value] of candidate.values.entries()) {
    if (typeof value === 'number') look(value, (x) => (candidate.values[at] = x));
    else if (value instanceof Float32Array) for (const [i, x] of value.entries()) look(x, (y) => (value[i] = y));
  }
  if (found.length === 0) return;
  for (const nearest of [0, smallestNormal, null]) {
    for (const { x, write } of found) write(nearest === null ? x : x < 0 && nearest > 0 ? -nearest : nearest);
    if (violation(plan, candidate) === null) return;
  }
}

/** A copy of the case without subnormal numbers. */
export function withoutSubnormals(plan: DomainPlan, { sizes, values }: Case): Case {
  const copy = { sizes, values: values.map((value) => (typeof value === 'object' ? value.slice() : value)) };
  flushSubnormals(plan, copy);
  return copy;
}

/** Adapts a case to the device that it runs on; null if no adaptation is needed. */
export function settleOf(
  request: Pick<ExecutionRequest, 'kernels'>,
  plan: DomainPlan,
): ((candidate: Case) => Case) | null {
  return runsOnDevice(request) ? (candidate) => withoutSubnormals(plan, candidate) : null;
}
