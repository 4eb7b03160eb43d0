import type { KernelCall, KernelOutcome, OpenKernel } from './backend.ts';

/** `run` of a kernel that is synchronous underneath. */
export function sequentially(runSync: (call: KernelCall) => KernelOutcome): OpenKernel['run'] {
  return (calls) => Promise.resolve(calls.map(runSync));
}
