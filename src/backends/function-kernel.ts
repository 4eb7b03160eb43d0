/**
 * A user's own function, run as it is: flat arrays and sizes in, a flat array or a number out.
 *
 * It runs in this thread; the scheduler bounds its time and memory, and gives it its own process. The function can replace
 * everything that this thread shares with it, so what compares its inputs and copies its outputs is kept from before it is loaded.
 */
import { expectedOutput, floatOutput, integerOutput, lengthOf, nameOf, textOutput } from '../numeric/kernel-output.ts';
import { arithmeticOf } from '../subject/kernel.ts';
import type { Backend, KernelCall, KernelOutcome, KernelProgram, OpenKernel, Opened } from './backend.ts';
import { elementsOf, misfit, threw, unsupported } from './check-call.ts';
import { noNotes, type ConductNotes } from './function-conduct.ts';
import { loadText } from './load-text.ts';
import { openWasm, type FunctionCall } from './wasm-function.ts';

const { apply } = Reflect;
const { is } = Object;
const Floats = Float32Array;
const Integers = Int32Array;

/** Plain JavaScript functions in float64, called in this thread. */
export const functionBackend: Backend = functionsWith(noNotes);

/** The same, with notes of how the functions behave; `load` gives the module of a program's text. */
export function functionsWith(notes: ConductNotes, load: typeof loadText = loadText): Backend {
  return { id: 'function', arithmetic: arithmeticOf.function, open: (program) => openFunction(program, notes, load) };
}

async function openFunction(program: KernelProgram, notes: ConductNotes, load: typeof loadText): Promise<Opened> {
  if (program.language !== 'function')
    return { ok: false, failure: unsupported(`${program.name} is a gpu.js kernel, not a plain function`) };
  try {
    if (program.wasm) return { ok: true, kernel: openKernel(program, openWasm(program, program.wasm), notes) };
    const call = (await load(program.source))[program.name];
    if (typeof call !== 'function') return { ok: false, failure: unsupported(`${program.name} is not a function`) };
    const user: FunctionCall = (given) => ({ failure: null, result: apply(call, undefined, given) });
    return { ok: true, kernel: openKernel(program, user, notes) };
  } catch (problem) {
    return { ok: false, failure: threw(problem) };
  }
}

function openKernel(program: KernelProgram, call: FunctionCall, notes: ConductNotes): OpenKernel {
  const run = async (calls: readonly KernelCall[]): Promise<readonly KernelOutcome[]> => {
    const outcomes: KernelOutcome[] = [];
    for (let i = 0; i < calls.length; i++) {
      const kernelCall = calls[i];
      notes.begins(i);
      if (kernelCall) outcomes[i] = await runCall({ program, call, notes }, kernelCall);
    }
    notes.ends();
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

interface Opening {
  readonly program: KernelProgram;
  readonly call: FunctionCall;
  readonly notes: ConductNotes;
}

async function runCall({ program, call: user, notes }: Opening, call: KernelCall): Promise<KernelOutcome> {
  const failure = misfit(program, call);
  if (failure) return { ok: false, failure };
  // The function gets copies, so that one which writes to them cannot spoil the caller's data or the next kernel's.
  const given: KernelCall['arguments'][number][] = [];
  for (let i = 0; i < call.arguments.length; i++) given[i] = copyOf(call.arguments[i] as (typeof given)[number]);
  try {
    const ran = user(given, elementsOf(call.outputShape));
    if (ran.failure) return { ok: false, failure: ran.failure };
    const returned = ran.result;
    // Most functions are synchronous, and a turn of the queue for each call would cost more than they do.
    const result = isObject(returned) ? await returned : returned;
    const outcome = settle(program, call, given, result);
    notes.returned({ returned, result, given, outcome });
    return outcome;
  } catch (problem) {
    return { ok: false, failure: threw(problem) };
  }
}

function copyOf(value: KernelCall['arguments'][number]): KernelCall['arguments'][number] {
  if (typeof value !== 'object') return value;
  return nameOf(value) === 'Float32Array' ? new Floats(value) : new Integers(value);
}

/** Whatever may have a `then`; asking for it may run a getter, so that is left to `await`. */
function isObject(value: unknown): boolean {
  return (typeof value === 'object' && value !== null && nameOf(value) === undefined) || typeof value === 'function';
}

/** `given` is what the function was given; `call` keeps the originals to compare with. */
function settle(
  program: KernelProgram,
  call: KernelCall,
  given: KernelCall['arguments'],
  result: unknown,
): KernelOutcome {
  for (let i = 0; i < given.length; i++)
    if (!isSame(call.arguments[i], given[i]))
      return { ok: false, failure: { kind: 'mutated-input', parameter: program.parameters[i]?.name ?? `${i}` } };
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

type Given = KernelCall['arguments'][number] | undefined;

/** Whether two values are the same, so that NaN equals itself and −0 is not 0. */
function isSame(a: Given, b: Given): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') return is(a, b);
  // An array whose buffer was given away has no elements.
  const length = lengthOf(a);
  if (length !== lengthOf(b)) return false;
  // Most are short, and views of their bytes would cost more than this.
  for (let i = 0; i < length; i++) if (!is(a[i], b[i])) return false;
  return true;
}
