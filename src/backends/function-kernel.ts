/**
 * A user's own function, run as it is: flat arrays and sizes in, a flat array or a number out.
 *
 * It runs in this thread; whoever schedules it bounds its time.
 */
import type {
  Backend,
  KernelCall,
  KernelFailure,
  KernelOutcome,
  KernelProgram,
  OpenKernel,
  Opened,
} from './backend.ts';
import { elementsOf, misfit, threw, unsupported } from './check-call.ts';
import { loadText } from './load-text.ts';

export const functionBackend: Backend = { id: 'function', arithmetic: 'f64', open: openFunction };

type UserFunction = (...values: KernelCall['arguments']) => unknown;

async function openFunction(program: KernelProgram): Promise<Opened> {
  if (program.language !== 'function')
    return { ok: false, failure: unsupported(`${program.name} is a gpu.js kernel, not a plain function`) };
  try {
    const call = (await loadText(program.source))[program.name];
    if (typeof call !== 'function') return { ok: false, failure: unsupported(`${program.name} is not a function`) };
    return { ok: true, kernel: openKernel(program, call as UserFunction) };
  } catch (problem) {
    return { ok: false, failure: threw(problem) };
  }
}

function openKernel(program: KernelProgram, call: UserFunction): OpenKernel {
  const runSync = (kernelCall: KernelCall): KernelOutcome => settle(start(program, call, kernelCall));
  const runAsync = async (kernelCall: KernelCall): Promise<KernelOutcome> => {
    const started = start(program, call, kernelCall);
    if (!started.ok) return started;
    try {
      return settle({ ...started, result: await started.result });
    } catch (problem) {
      return { ok: false, failure: threw(problem) };
    }
  };
  const run = async (calls: readonly KernelCall[]): Promise<readonly KernelOutcome[]> => {
    const outcomes: KernelOutcome[] = [];
    for (const kernelCall of calls) outcomes.push(await runAsync(kernelCall));
    return outcomes;
  };
  return {
    ran: { backend: 'function', device: 'node', arithmetic: 'f64' },
    // Whoever runs kernels takes the synchronous way where there is one; a promise has no value there.
    runSync: call.constructor.name === 'AsyncFunction' ? null : runSync,
    run,
    close: () => Promise.resolve(),
  };
}

interface Started {
  readonly ok: true;
  readonly program: KernelProgram;
  readonly call: KernelCall;
  /** What the function was given; `call` keeps the originals to compare with. */
  readonly given: KernelCall['arguments'];
  readonly result: unknown;
}

type Start = Started | { readonly ok: false; readonly failure: KernelFailure };

function start(program: KernelProgram, user: UserFunction, call: KernelCall): Start {
  const failure = misfit(program, call);
  if (failure) return { ok: false, failure };
  // The function gets copies, so that one which writes to them cannot spoil the caller's data or the next kernel's.
  const given = call.arguments.map((value) => (typeof value === 'number' ? value : value.slice()));
  try {
    return { ok: true, program, call, given, result: user(...given) };
  } catch (problem) {
    return { ok: false, failure: threw(problem) };
  }
}

function settle(started: Start): KernelOutcome {
  if (!started.ok) return started;
  const { program, call, given, result } = started;
  const mutated = call.arguments.findIndex((value, i) => !sameBits(value, given[i]));
  if (mutated >= 0)
    return {
      ok: false,
      failure: { kind: 'mutated-input', parameter: program.parameters[mutated]?.name ?? String(mutated) },
    };
  const output = asArray(result);
  const wanted = elementsOf(call.outputShape);
  if (output?.length !== wanted)
    return { ok: false, failure: { kind: 'wrong-shape', expected: call.outputShape, actual: describe(result) } };
  return { ok: true, output };
}

/** A copy: the function may return its input, or write its next result into the same array. */
function asArray(result: unknown): Float32Array | Float64Array | null {
  if (typeof result === 'number') return Float64Array.of(result);
  return result instanceof Float32Array || result instanceof Float64Array ? result.slice() : null;
}

/** Whether two values hold the same bits, so that NaN equals itself and −0 is not 0. */
function sameBits(a: KernelCall['arguments'][number], b: KernelCall['arguments'][number] | undefined): boolean {
  if (typeof a === 'number' || typeof b === 'number' || b === undefined) return Object.is(a, b);
  return Buffer.compare(bytesOf(a), bytesOf(b)) === 0;
}

const bytesOf = (array: Float32Array | Int32Array): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

function describe(result: unknown): string {
  if (result instanceof Promise) return 'a promise';
  if (ArrayBuffer.isView(result))
    return `${result.constructor.name} of ${'length' in result ? String(result.length) : '?'} elements`;
  if (Array.isArray(result)) return `an array of ${result.length} elements`;
  return result === undefined ? 'nothing' : typeof result;
}
