/** A kernel in a language of its own, whose parameters the binding plans: a compute shader, a function of WebAssembly. */
import type { EquationModel } from '../contract/goal.ts';
import type { Staged } from '../diagnostics/diagnostic.ts';
import type { Span } from '../diagnostics/source.ts';
import { sha256 } from '../evidence/digest.ts';
import { planCall } from './argument-sources.ts';
import type { BindingRow } from './binding.ts';
import type { BoundSubject } from './bound-subject.ts';
import { fitToModel } from './fit-to-model.ts';
import { defaultLoopMax, type KernelProgram } from './kernel.ts';

/** A kernel found in a file, and how it is called. */
export interface PlannedKernel {
  readonly row: BindingRow;
  readonly model: EquationModel;
  /** Relative to the project root. */
  readonly module: string;
  /** The entry point or the export. */
  readonly name: string;
  readonly line: number;
  readonly text: string;
  /** What the caller gives it, as texts of a binding; `span` is where a text that does not fit is reported. */
  readonly arguments: readonly string[];
  readonly span: Span;
  readonly how: Pick<KernelProgram, 'language' | 'shader' | 'wasm'>;
}

/** The subject; what it computes depends on its text, its name and its plan. */
export function plannedSubject(kernel: PlannedKernel): Staged<BoundSubject | null> {
  const { row, model, module, name, line, text, span, how } = kernel;
  const call = planCall({ ...row, arguments: kernel.arguments.map((value) => ({ value, span })) }, model);
  if (call.value === null || call.diagnostics.length > 0) return { value: null, diagnostics: call.diagnostics };
  const program: KernelProgram = {
    ...how,
    name,
    source: text,
    sourceHash: sha256(JSON.stringify([text, name, how.shader ?? how.wasm])),
    parameters: kernel.arguments.map((one) => ({ name: one, rank: 0, integer: false })),
    outputRank: 1,
    loopMaxIterations: defaultLoopMax,
    syntax: null,
  };
  const subject: BoundSubject = {
    contract: row.contract.value,
    equation: model.name,
    name,
    module,
    line,
    program: fitToModel(program, model, call.value),
    arguments: call.value.arguments,
    output: call.value.output,
    model,
    row,
  };
  return { value: subject, diagnostics: [] };
}
