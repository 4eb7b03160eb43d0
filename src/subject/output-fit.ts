import { count } from '../base/text.ts';
import { evaluateNumber } from '../contract/elaborate/context/evaluate-number.ts';
import { sizeCases } from '../contract/elaborate/equations/size-cases.ts';
import type { EquationModel } from '../contract/goal.ts';
import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Expression } from '../math/notation/syntax.ts';
import { isSequence } from '../math/term/sequences.ts';
import { shapeOf, typeText } from '../math/term/types.ts';
import { evaluateArgument } from './argument-expression.ts';
import type { BindingRow } from './binding.ts';

/**
 * A shape of the output that has another number of elements than the equation's result; other shapes may hold the same
 * elements.
 */
export function outputMisfit(row: BindingRow, model: EquationModel, output: readonly Expression[]): Diagnostic | null {
  if (!row.output || isSequence(model.result)) return null;
  for (const values of sizeCases(model.domain)) {
    const valueOf = (name: string): number => values.get(name) ?? Number.NaN;
    const has = product(output.map((entry) => evaluateArgument(entry, valueOf)));
    const axes = shapeOf(model.result).map((axis) => evaluateNumber(axis, values));
    const asked = product(axes.map((axis) => axis ?? Number.NaN));
    if (has === asked || axes.includes(null)) continue;
    const at = [...values].map(([name, value]) => `${name} = ${value}`).join(', ');
    const elements = Number.isNaN(has) ? 'cannot be computed from whole numbers' : `has ${count(has, 'element')}`;
    return diagnostic(
      'PV-5013',
      row.output[0]?.span ?? row.equation.span,
      `the output [${row.output.map(({ value }) => value).join(', ')}] of the binding ${elements}, and ${model.name} has ${asked}${at === '' ? '' : ` at ${at}`}`,
      {
        hint: `${model.name} is in ${typeText(model.result)}: leave output out, or give a shape with as many elements`,
      },
    );
  }
  return null;
}

const product = (lengths: readonly number[]): number => lengths.reduce((all, length) => all * length, 1);
