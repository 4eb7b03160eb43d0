/**
 * A kernel as a plain JavaScript loop over its threads, in float32 or float64.
 */
import { invariant } from '../base/invariant.ts';
import { powersOfTwo } from '../numeric/elementary32/rounded-exp.ts';
import type { KernelCall, KernelOutcome, KernelProgram, KernelValue, OpenKernel, Opened } from './backend.ts';
import { elementsOf, misfit, threadsOf, threw, unsupported } from './check-call.ts';
import { loadText } from './load-text.ts';
import type { Arithmetic } from './reference-expression.ts';
import { referenceText } from './reference-text.ts';
import { sequentially } from './sequentially.ts';

type Nested = number | Float32Array | Float64Array | readonly Nested[];

/** What `referenceText` exports. */
type RunReference = (
  values: readonly Nested[],
  ox: number,
  oy: number,
  oz: number,
  output: Float32Array | Float64Array,
  exponentials: Float64Array,
) => void;

/** Opens a gpu.js program on the reference loop; `function` programs have no syntax to transform. */
export async function openReference(program: KernelProgram, arithmetic: Arithmetic): Promise<Opened> {
  if (!program.syntax)
    return {
      ok: false,
      failure: unsupported(`${program.name} is not a gpu.js kernel, so its arithmetic cannot be rewritten`),
    };
  const run = await loadReference(referenceText(program.syntax, arithmetic, arithmetic === 'f32'));
  const runSync = (call: KernelCall): KernelOutcome => runReference(program, run, call, arithmetic);
  const kernel: OpenKernel = {
    ran: { backend: arithmetic === 'f32' ? 'ref32' : 'ref64', device: 'node', arithmetic },
    runSync,
    run: sequentially(runSync),
    close: () => Promise.resolve(),
  };
  return { ok: true, kernel };
}

const loaded = new Map<string, Promise<RunReference>>();
const maxLoaded = 4096;

/** Loads each text once; the engine would keep every copy. */
function loadReference(text: string): Promise<RunReference> {
  const known = loaded.get(text);
  if (known) return known;
  const run = loadText(text).then((module) => module['run'] as RunReference);
  if (loaded.size < maxLoaded) loaded.set(text, run);
  return run;
}

function runReference(
  program: KernelProgram,
  run: RunReference,
  call: KernelCall,
  arithmetic: Arithmetic,
): KernelOutcome {
  const failure = misfit(program, call);
  if (failure) return { ok: false, failure };
  const length = elementsOf(call.outputShape);
  const output = arithmetic === 'f32' ? new Float32Array(length) : new Float64Array(length);
  const [ox, oy, oz] = threadsOf(call.outputShape);
  try {
    run(
      call.arguments.map((value, i) => nest(value, call.shapes[i] ?? [], arithmetic)),
      ox,
      oy,
      oz,
      output,
      powersOfTwo,
    );
    return { ok: true, output };
  } catch (problem) {
    return { ok: false, failure: threw(problem) };
  }
}

/** A flat value as the kernel indexes it: rows are views, nothing is copied but integers. */
function nest(value: KernelValue, shape: readonly number[], arithmetic: Arithmetic): Nested {
  if (typeof value === 'number') return arithmetic === 'f32' ? Math.fround(value) : value;
  invariant(typeof value === 'object', 'a call that gives a gpu.js kernel a string is a misfit');
  if (!(value instanceof Float32Array)) return rows(Float32Array.from(value), shape);
  if (shape.length < 2) return value;
  // Cases are run again and again with the same arrays; views stay valid when an array is refilled.
  const key = shape.join();
  const known = views.get(value);
  if (known?.key === key) return known.nested;
  const nested = rows(value, shape);
  views.set(value, { key, nested });
  return nested;
}

const views = new WeakMap<Float32Array, { readonly key: string; readonly nested: Nested }>();

function rows(flat: Float32Array, shape: readonly number[]): Nested {
  const [count, ...rest] = shape;
  if (count === undefined || rest.length === 0) return flat;
  const width = elementsOf(rest);
  return Array.from({ length: count }, (_, i) => rows(flat.subarray(i * width, (i + 1) * width), rest));
}
