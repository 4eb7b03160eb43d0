import { effortUpTo } from '../../../../src/bounded-proofs/engines/algebra/effort.ts';
import { boxOf, createRanges } from '../../../../src/bounded-proofs/engines/interval/ranges.ts';
import type { Bound } from '../../../../src/bounded-proofs/engines/rounding/bound.ts';
import { collapsingArithmetic } from '../../../../src/bounded-proofs/engines/rounding/bound-arithmetic.ts';
import { charging } from '../../../../src/bounded-proofs/engines/rounding/charging.ts';
import { float32Values } from '../../../../src/bounded-proofs/engines/rounding/float32-values.ts';
import { createForms, type FormOptions } from '../../../../src/bounded-proofs/engines/rounding/forms.ts';
import { weighingArithmetic } from '../../../../src/bounded-proofs/engines/rounding/weighing-arithmetic.ts';
import { Graph } from '../../../../src/bounded-proofs/expression.ts';
import { number, print, problemIn, type Domain } from '../../notation.ts';

export type Over = Readonly<Record<string, Domain>>;

export interface Setting extends Partial<
  Pick<FormOptions, 'measure' | 'cutFunctions' | 'secondOrder' | 'falling' | 'units'>
> {
  /** How bounds are computed; `chargedTo` charges them to a tolerance. */
  readonly arithmetic?: 'exact sizes' | 'triangle' | 'inside products' | 'weighing';
  readonly chargedTo?: string;
}

const digits = (value: number): string =>
  Number.isFinite(value) ? String(Number(value.toPrecision(6))) : String(value);

/** `2·a + 0.5`, the larger coefficients first. */
export function boundText(bound: Bound): string {
  const terms = [...bound].map(([node, coefficient]) =>
    node.kind === 'constant' ? digits(coefficient) : `${digits(coefficient)} · ${print(node)}`,
  );
  return terms.length === 0 ? '0' : terms.toSorted().join(' + ');
}

/** `exact ± bound, share·|exact| + absolute, total`, with numbers in six digits; `scales` and a unit where there is one; the axioms. */
export function formText(text: string, over: Over = {}, setting: Setting = {}): string {
  const { arithmetic = 'exact sizes', chargedTo, ...options } = setting;
  const graph = new Graph();
  const posed = problemIn(graph, `${text} = ${chargedTo ?? '0'} ∨ ${text} = 1 + ${chargedTo ?? '0'}`, { over });
  const ranges = createRanges(boxOf(posed), []);
  const effort = effortUpTo(100_000);
  const bounds =
    chargedTo !== undefined
      ? charging({ graph, ranges, allowed: number(graph, chargedTo), effort }).bounds
      : arithmetic === 'weighing'
        ? weighingArithmetic(graph, ranges)
        : collapsingArithmetic({
            graph,
            ranges,
            triangle: arithmetic !== 'exact sizes',
            insideProducts: arithmetic === 'inside products',
          });
  const forms = createForms({
    graph,
    ranges,
    bounds,
    isFloat32: float32Values(posed.variables),
    measure: 'symbolic',
    cutFunctions: false,
    ...options,
  });
  const node = number(graph, text);
  const [form] = options.units ? forms.pair(node, node) : [forms.form(node)];
  const unit = [...form.unit].map(([variable, exponent]) => `${print(variable)}^${exponent}`).join(' ');
  const axioms = forms.axioms().map((id) => id.replace('rounding-', ''));
  return [
    `${print(form.exact)} ± ${boundText(form.bound)}`,
    `share ${digits(form.relative)} + ${digits(form.absolute)}`,
    `total ${digits(form.total)}`,
    ...(form.scales ? ['scales'] : []),
    ...(unit === '' ? [] : [`in ${unit}`]),
    ...(axioms.length === 0 ? [] : [`by ${axioms.join(' ')}`]),
  ].join(' | ');
}
