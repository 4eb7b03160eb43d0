/** From a binding row to a compute shader that can be run as the kernel of its equation. */
import { closest, listOf } from '../../base/text.ts';
import type { Located } from '../../contract/contract.ts';
import type { EquationModel } from '../../contract/goal.ts';
import { diagnostic, type Diagnostic, type Staged } from '../../diagnostics/diagnostic.ts';
import type { SourceFile, Span } from '../../diagnostics/source.ts';
import { isSequence } from '../../math/term/sequences.ts';
import type { BindingRow } from '../binding.ts';
import type { BoundSubject } from '../bound-subject.ts';
import { plannedSubject } from '../planned-subject.ts';
import { readDeclarations, type Declarations, type EntryPoint } from './declarations.ts';
import { planShader, type ShaderProblem } from './plan-shader.ts';
import type { ShaderToken } from './tokens.ts';

/** A row that names a shader, and the shader. */
export interface ShaderRow {
  readonly row: BindingRow;
  /** The path for messages, and the text. */
  readonly source: SourceFile;
  /** Relative to the project root. */
  readonly module: string;
  readonly entry: Located<string>;
  readonly model: EquationModel;
}

/** The subject; PV-5037 where the shader does not fit its equation. What the device's compiler refuses shows when it runs. */
export function resolveShader({ row, source, module, entry, model }: ShaderRow): Staged<BoundSubject | null> {
  const declarations = readDeclarations(source.text);
  const found = entryNamed(declarations, entry);
  if ('message' in found) return refused(problemAt(source, entry.span, found));
  if (model.result.kind === 'string' || isSequence(model.result))
    return refused(
      problemAt(source, entry.span, {
        at: null,
        message: `${model.name} does not give numbers of one shape`,
        hint: '',
      }),
    );
  const planned = planShader(declarations, found, row, model);
  if (!planned.ok) return refused(problemAt(source, entry.span, planned.problem));
  const { plan, arguments: texts } = planned.value;
  if (plan.dispatch === null && plan.invocations === null) {
    const hint =
      'say it in the binding: dispatch: [ceil(n / 64)], or [ceil(n / 16), ceil(m / 16)] of 16 × 16 invocations';
    return refused(
      problemAt(source, entry.span, { at: found.place, message: 'nothing says how many workgroups run', hint }),
    );
  }
  return plannedSubject({
    row,
    model,
    module,
    name: found.name,
    line: found.place.line,
    text: source.text,
    arguments: texts,
    span: row.dispatch?.[0]?.span ?? entry.span,
    how: { language: 'wgsl', shader: plan },
  });
}

const refused = (problem: Diagnostic): Staged<null> => ({ value: null, diagnostics: [problem] });

function entryNamed({ entries }: Declarations, { value }: Located<string>): EntryPoint | ShaderProblem {
  const names = entries.map(({ name }) => name);
  const found = entries.find(({ name }) => name === value);
  if (found) return found;
  const near = closest(value, names);
  const hint = near === null ? (names.length === 0 ? '' : `it has ${listOf(names)}`) : `did you mean \`${near}\`?`;
  return { at: null, message: `the shader has no compute entry point \`${value}\``, hint };
}

function problemAt(source: SourceFile, binding: Span, { at, message, hint }: ShaderProblem): Diagnostic {
  const place = at === null ? null : { source, range: rangeOf(at) };
  return diagnostic('PV-5037', place ?? binding, message, {
    ...(hint === '' ? {} : { hint }),
    ...(place ? { related: [{ message: 'bound here', span: binding }] } : {}),
  });
}

const rangeOf = ({ at, text }: ShaderToken) => ({ start: at, end: at + text.length });
