/** Softmax sums to one and equals its reference, as compiled by hand, with kernels that are right or wrong in one way. */
import type { KernelCall, KernelOutcome, OpenKernel } from '../../src/backends/backend.ts';
import type { CaseValue, CompiledGoal } from '../../src/math/compile/compiled.ts';
import { FLOAT32, type Type } from '../../src/math/term/term.ts';
import type { ToCall } from '../../src/methods/runs/execute.ts';
import type { TestableGoal } from '../../src/runtime/testable-goal.ts';
import { name, softmaxDomain } from '../runtime/domains.ts';

const vector: Type = { kind: 'tensor', element: FLOAT32, shape: [name('n')] };

export function goalOf(extra: Partial<TestableGoal> = {}): TestableGoal {
  return {
    id: 'softmax-kernel-v1/SM-INV-001',
    claim: 'SM-INV-001',
    property: 'Outputs sum to one',
    formal: '|Σ_i σ(x)_i - 1| ≤ ε',
    domain: softmaxDomain,
    applications: [
      {
        output: 'out:0',
        equation: 'softmax',
        arguments: [{ type: vector }],
        type: vector,
      },
    ],
    given: null,
    cases: 1000,
    toleranceText: 'abs 6e-8 per n',
    ifFails: null,
    ...extra,
  };
}

export function vectorOf(values: readonly CaseValue[], index = 0): Float32Array {
  const value = values[index];
  if (!(value instanceof Float32Array)) throw new Error('expected a float32 vector');
  return value;
}

/** |Σ out − 1| ≤ 6e-8 · n, at most `slack` times. */
export function sumsToOne(extra: Partial<CompiledGoal> = {}, slack = 1): CompiledGoal {
  return {
    comparisons: ['Σ_i σ(x)_i ≈ 1'],
    precondition: () => true,
    applications: [{ arguments: (_sizes, values) => [...values], sizes: (sizes) => [...sizes] }],
    check: (sizes, _values, outputs, report) => {
      let sum = 0;
      for (const p of vectorOf(outputs)) sum += p;
      const allowed = 6e-8 * (sizes[0] ?? 0) * slack;
      const error = Math.abs(sum - 1);
      const holds = error <= allowed;
      Object.assign(report, {
        ratio: error / allowed,
        error,
        allowed,
        left: sum,
        right: 1,
        comparison: holds ? -1 : 0,
      });
      return holds;
    },
    ...extra,
  };
}

export function softmax(x: Float32Array): Float32Array {
  const largest = x.reduce((a, b) => Math.max(a, b), -Infinity);
  const out = x.map((v) => Math.exp(v - largest));
  const sum = out.reduce((a, b) => a + b, 0);
  return out.map((v) => v / sum);
}

export const toCall: ToCall = (_application, args, sizes) => ({
  arguments: args.map((arg) => (typeof arg === 'string' || arg instanceof Float64Array ? 0 : arg)),
  shapes: [[...sizes]],
  outputShape: [...sizes],
});

type Kernel = (x: Float32Array, call: KernelCall) => Float32Array | KernelOutcome;

function outcomeOf(kernel: Kernel, call: KernelCall): KernelOutcome {
  const x = call.arguments[0];
  const result = kernel(x instanceof Float32Array ? x : new Float32Array(), call);
  return result instanceof Float32Array ? { ok: true, output: result } : result;
}

export function openKernel(kernel: Kernel, mode: 'sync' | 'async' = 'sync'): OpenKernel {
  return {
    ran: { backend: 'ref32', device: 'test', arithmetic: 'f32' },
    run: async (calls) => calls.map((call) => outcomeOf(kernel, call)),
    runSync: mode === 'sync' ? (call) => outcomeOf(kernel, call) : null,
    close: async () => {},
  };
}

export function kernels(kernel: Kernel, mode: 'sync' | 'async' = 'sync'): ReadonlyMap<string, OpenKernel> {
  return new Map([['softmax', openKernel(kernel, mode)]]);
}
