/**
 * Branch and bound: an expression of few inputs is at least 0 where interval arithmetic says so on every box of a cover. Boxes
 * are halved in the order of the float64 numbers, not in length, so that a relative bound near 0 needs a box per binade
 * and no more.
 */
import { hull, type Interval } from '../../../numeric/interval.ts';
import type { NumberExpression } from '../../expression.ts';
import type { ProofProblem } from '../../problem.ts';
import type { Model } from '../engine.ts';
import { boxOf, createRanges, numberArguments, type Box } from './ranges.ts';
import { middle } from './middle.ts';

/** With more inputs the boxes would be too many before they are small. */
export const maxInputs = 4;

export type Cover =
  | { readonly verdict: 'proved'; readonly boxes: number }
  /** A point where the expression is certainly below 0, as far as the expression goes: roundings included. */
  | { readonly verdict: 'refuted'; readonly model: Model; readonly boxes: number }
  | { readonly verdict: 'undecided'; readonly boxes: number }
  | { readonly verdict: 'too many inputs'; readonly boxes: 0 };

export interface CoverOptions {
  /** Whether a bound of 0 itself will not do. */
  readonly strict?: boolean;
}

/** Whether `node` ≥ 0 (> 0 when strict) on the domain, after at most `limit` boxes. */
export function branchAndBound(
  problem: ProofProblem,
  node: NumberExpression,
  limit: number,
  { strict = false }: CoverOptions = {},
): Cover {
  const inputs = inputsOf([node, ...premiseNumbers(problem)]);
  if (inputs.size > maxInputs) return { verdict: 'too many inputs', boxes: 0 };
  const whole = boxOf(problem);
  const names = [...inputs].toSorted();
  const enough = (low: number): boolean => (strict ? low > 0 : low >= 0);
  let stack: Box[] = [new Map(names.map((name) => [name, whole.get(name) ?? { low: -Infinity, high: Infinity }]))];
  let boxes = 0;
  while (stack.length > 0) {
    if (boxes >= limit) return { verdict: 'undecided', boxes };
    const box = stack.pop();
    if (box === undefined) break;
    boxes += 1;
    const ranges = createRanges(box, problem.premises);
    if (problem.premises.some((premise) => ranges.truth(premise) === false)) continue;
    if (enough(ranges.range(node).low)) continue;
    const counterexample = failsAt(problem, node, box, enough);
    if (counterexample) return { verdict: 'refuted', model: counterexample, boxes };
    const halves = split(box, problem);
    if (halves === null) return { verdict: 'undecided', boxes };
    stack = [...stack, ...halves];
  }
  return { verdict: 'proved', boxes };
}

/** The variables below some nodes, conditions included. */
export function inputsOf(nodes: readonly NumberExpression[]): ReadonlySet<string> {
  const seen = new Set<number>();
  const names = new Set<string>();
  const stack = [...nodes];
  while (stack.length > 0) {
    const node = stack.pop();
    if (node === undefined || seen.has(node.id)) continue;
    seen.add(node.id);
    if (node.kind === 'variable') names.add(node.name);
    if (node.kind === 'if') stack.push(...numbersIn(node.condition));
    stack.push(...numberArguments(node));
  }
  return names;
}

function numbersIn(node: ProofProblem['conclusion']): readonly NumberExpression[] {
  switch (node.kind) {
    case 'truth':
      return [];
    case 'not':
      return numbersIn(node.operand);
    case 'and':
    case 'or':
      return node.operands.flatMap(numbersIn);
    default:
      return [node.left, node.right];
  }
}

/** What premises compare, as far as it says something about the inputs of the claim. */
function premiseNumbers({ premises }: ProofProblem): readonly NumberExpression[] {
  return premises.length > 8 ? [] : premises.flatMap(numbersIn);
}

/** The middle of the box, when all premises hold there and the expression is below 0 there for certain. */
function failsAt(
  problem: ProofProblem,
  node: NumberExpression,
  box: Box,
  enough: (low: number) => boolean,
): Model | null {
  const model = new Map<string, number>();
  for (const [name, interval] of box) {
    const value = allowedMiddle(problem, name, interval);
    if (value === null) return null;
    model.set(name, value);
  }
  const ranges = createRanges(new Map([...model].map(([name, value]) => [name, { low: value, high: value }])), []);
  if (!problem.premises.every((premise) => ranges.truth(premise) === true)) return null;
  const { high } = ranges.range(node);
  return high < 0 || (high === 0 && !enough(0)) ? model : null;
}

/** The middle as a number that the variable may have, or null where there is none near. */
function allowedMiddle(problem: ProofProblem, name: string, interval: Interval): number | null {
  const format = problem.variables.find((variable) => variable.name === name)?.format ?? 'real';
  const value = middle(interval);
  const near =
    format === 'integer' ? Math.round(value) : format === 'real' || format === 'f64' ? value : Math.fround(value);
  return near >= interval.low && near <= interval.high ? near : null;
}

/** The box cut across its widest side, by count of float64 numbers; null when no side can be cut. */
function split(box: Box, problem: ProofProblem): readonly Box[] | null {
  let widest: { readonly name: string; readonly parts: readonly Interval[]; readonly width: number } | null = null;
  for (const [name, interval] of box) {
    const format = problem.variables.find((variable) => variable.name === name)?.format ?? 'real';
    const cut = middle(interval);
    const parts =
      format === 'integer'
        ? [
            { low: interval.low, high: Math.floor(cut) },
            { low: Math.floor(cut) + 1, high: interval.high },
          ]
        : [
            { low: interval.low, high: cut },
            { low: cut, high: interval.high },
          ];
    const proper = parts.filter(({ low, high }) => low <= high);
    const splits =
      proper.length === 2 && proper.every((part) => part.low !== interval.low || part.high !== interval.high);
    const width = spread(interval);
    if (splits && (widest === null || width > widest.width)) widest = { name, parts: proper, width };
  }
  if (widest === null) return null;
  const { name, parts } = widest;
  return parts.map((part) => new Map([...box, [name, part]]));
}

/** How far apart the ends are: in length, and for ends of very different size in binades. */
function spread({ low, high }: Interval): number {
  const around = hull({ low, high }, { low, high });
  const binades = Math.abs(
    Math.log2(Math.max(Math.abs(around.high), 2 ** -160)) - Math.log2(Math.max(Math.abs(around.low), 2 ** -160)),
  );
  return low < 0 && high > 0 ? 400 + (high - low) : binades + (high - low) / Math.max(1, Math.abs(high), Math.abs(low));
}
