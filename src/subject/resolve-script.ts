/** From a binding row to a function of JavaScript, which has no types to check: it gets the equation's parameters and its sizes. */
import { quoted } from '../base/text.ts';
import type { EquationModel } from '../contract/goal.ts';
import { diagnostic, type Staged } from '../diagnostics/diagnostic.ts';
import { sha256 } from '../evidence/digest.ts';
import { planCall } from './argument-sources.ts';
import type { BindingRow } from './binding.ts';
import type { BoundSubject } from './bound-subject.ts';
import { fitToModel } from './fit-to-model.ts';
import { bundleFunction } from './function-program.ts';
import { defaultLoopMax, type KernelProgram } from './kernel.ts';
import type { OpenModule } from './open-module.ts';

/** A row that names a function of a script, and the script. */
export interface ScriptRow {
  readonly row: BindingRow;
  readonly opened: OpenModule;
  /** Where relative imports start, absolute, and the path of the script from there. */
  readonly root: string;
  readonly module: string;
  readonly name: string;
  readonly model: EquationModel;
}

/** The subject; whether the script exports such a function shows when it runs. */
export async function resolveScript({
  row,
  opened,
  root,
  module,
  name,
  model,
}: ScriptRow): Promise<Staged<BoundSubject | null>> {
  if (!/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name)) {
    const problem = diagnostic(
      'PV-5008',
      row.functionName?.span ?? row.equation.span,
      `${quoted(name)} is not the name of a function`,
    );
    return { value: null, diagnostics: [problem] };
  }
  const plan = planCall(row, model);
  const bundle = await bundleFunction({ path: opened.shown, text: opened.text }, name, root, opened.path);
  const diagnostics = [...plan.diagnostics, ...bundle.diagnostics];
  if (plan.value === null || bundle.value === null || diagnostics.length > 0) return { value: null, diagnostics };
  const program: KernelProgram = {
    name,
    language: 'function',
    source: bundle.value,
    sourceHash: sha256(bundle.value),
    parameters: plan.value.arguments.map((_, i) => ({ name: nameAt(model, i), rank: 0, integer: false })),
    outputRank: 1,
    loopMaxIterations: defaultLoopMax,
    syntax: null,
  };
  const value: BoundSubject = {
    contract: row.contract.value,
    equation: model.name,
    name,
    module,
    line: lineOf(opened.text, name),
    program: fitToModel(program, model, plan.value),
    arguments: plan.value.arguments,
    output: plan.value.output,
    model,
    row,
  };
  return { value, diagnostics };
}

const nameAt = ({ parameters, sizes }: EquationModel, i: number): string =>
  parameters[i]?.name ?? sizes[i - parameters.length] ?? `${i}`;

/** Where the name is first: nothing else is known of a script before it runs. */
function lineOf(text: string, name: string): number {
  const at = text.search(
    new RegExp(`(?<![\\p{ID_Continue}$])${name.replaceAll('$', '\\$')}(?![\\p{ID_Continue}$])`, 'u'),
  );
  return at < 0 ? 1 : text.slice(0, at).split('\n').length;
}
