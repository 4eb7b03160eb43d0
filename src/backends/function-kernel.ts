/**
 * A user's own function, run as it is: flat arrays and sizes in, a flat array or a number out.
 *
 * It runs in this thread; the scheduler bounds its time and memory, and gives it its own process.
 */
import { expectedOutput, floatOutput, integerOutput, textOutput } from '../numeric/kernel-output.ts';
import { arithmeticOf } from '../subject/kernel.ts';
import type { Backend, KernelCall, KernelOutcome, KernelProgram, OpenKernel, Opened } from './backend.ts';
import { elementsOf, misfit, threw, unsupported } from './check-call.ts';
import { loadText } from './load-text.ts';

/** Plain JavaScript functions in float64, called in this thread. */
export const functionBackend: Backend = { id: 'function', arithmetic: arithmeticOf.function, open: openFunction };

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
  const run = async (calls: readonly KernelCall[]): Promise<readonly KernelOutcome[]> => {
    const outcomes: KernelOutcome[] = [];
    for (const kernelCall of calls) outcomes.push(await runCall(program, call, kernelCall));
    return outcomes;
  };
  return {
    ran: { backend: 'function', device: 'node', arithmetic: arithmeticOf.function },
    // Whether it returns a promise is known only when it has returned, and that may differ from call to call.
    runSync: null,
    run,
    close: () => Promise.resolve(),
  };
}

async function runCall(program: KernelProgram, user: UserFunction, call: KernelCall): Promise<KernelOutcome> {
  const failure = misfit(program, call);
  if (failure) return { ok: false, failure };
  // The function gets copies, so that one which writes to them cannot spoil the caller's data or the next kernel's.
  const given = call.arguments.map((value) => (typeof value === 'object' ? value.slice() : value));
  try {
    const returned = user(...given);
    // Most functions are synchronous, and a turn of the queue for each call would cost more than they do.
    return settle(program, call, given, isObject(returned) ? await returned : returned);
  } catch (problem) {
    return { ok: false, failure: threw(problem) };
  }
}

/** Whatever may have a `then`; asking for it may run a getter, so that is left to `await`. */
function isObject(value: unknown): boolean {
  return (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) || typeof value === 'function';
}

/** `given` is what the function was given; `call` keeps the originals to compare with. */
function settle(
  program: KernelProgram,
  call: KernelCall,
  given: KernelCall['arguments'],
  result: unknown,
): KernelOutcome {
  const mutated = call.arguments.findIndex((value, i) => !isSame(value, given[i]));
  if (mutated >= 0)
    return {
      ok: false,
      failure: { kind: 'mutated-input', parameter: program.parameters[mutated]?.name ?? String(mutated) },
    };
  const kind = program.output ?? 'numbers';
  const read =
    kind === 'numbers'
      ? floatOutput(result, elementsOf(call.outputShape))
      : kind === 'text'
        ? textOutput(result)
        : integerOutput(result);
  if (read.ok) return read.text === undefined ? { ok: true, output: read.output } : { ...read, text: read.text };
  const expected = kind === 'numbers' ? call.outputShape : expectedOutput[kind];
  return { ok: false, failure: { kind: 'wrong-shape', expected, actual: read.actual } };
}

/** Whether two values are the same, so that NaN equals itself and −0 is not 0. */
function isSame(a: KernelCall['arguments'][number], b: KernelCall['arguments'][number] | undefined): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') return Object.is(a, b);
  // An array whose buffer was given away has no elements.
  if (a.length !== b.length) return false;
  // Most are short, and views of their bytes would cost more than this.
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false;
  return true;
}
