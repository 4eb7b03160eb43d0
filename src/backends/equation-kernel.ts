import type { CompiledEquation } from '../math/compile/compiled.ts';
import type { KernelCall, KernelOutcome, OpenKernel } from './backend.ts';
import { elementsOf, threw } from './check-call.ts';
import type { Arithmetic } from './reference-expression.ts';
import { sequentially } from './sequentially.ts';

/** A contract's own equation as a kernel: the correct implementation that a sound contract must accept. */
export interface EquationSubject {
  readonly equation: CompiledEquation;
  readonly arithmetic: Arithmetic;
  /** How many arguments of a call are parameters of the equation; its sizes follow. */
  readonly parameters: number;
  /** How many sizes follow them. */
  readonly sizes: number;
}

/** Runs a compiled equation wherever a kernel is expected; calls list its parameters in order, then its sizes. */
export function equationKernel({ equation, arithmetic, parameters, sizes }: EquationSubject): OpenKernel {
  const runSync = (call: KernelCall): KernelOutcome => {
    try {
      const values = call.arguments.slice(0, parameters);
      const output = equation(call.arguments.slice(parameters, parameters + sizes).map(Number), values);
      const expected = elementsOf(call.outputShape);
      if (output.length !== expected)
        return {
          ok: false,
          failure: { kind: 'wrong-shape', expected: call.outputShape, actual: `${output.length} elements` },
        };
      return { ok: true, output };
    } catch (problem) {
      // The only ranges that compiled mathematics checks are those of its loops.
      if (problem instanceof RangeError) return { ok: false, failure: { kind: 'too-long', message: problem.message } };
      return { ok: false, failure: threw(problem) };
    }
  };
  return {
    ran: { backend: arithmetic === 'f32' ? 'ref32' : 'ref64', device: 'node', arithmetic },
    runSync,
    run: sequentially(runSync),
    close: () => Promise.resolve(),
  };
}
