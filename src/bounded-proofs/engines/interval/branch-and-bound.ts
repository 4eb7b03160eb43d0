/**
 * Branch and bound: a statement about few inputs holds where interval arithmetic says so on every box of a cover. Boxes are
 * halved in the order of the float64 numbers, not in length, so that a relative bound near 0 needs only one box per binade.
 */
import type { Interval } from '../../../numeric/interval.ts';
import type { AxiomId } from '../../axioms.ts';
import type { BooleanExpression, NumberExpression } from '../../expression.ts';
import type { ProofProblem, ProofVariable } from '../../problem.ts';
import { toFloat } from '../../../numeric/rational.ts';
import { floatFormats } from '../../../numeric/float-format.ts';
import type { Model } from '../engine.ts';
import { middle } from './middle.ts';
import { boxOf, createRanges, numberArguments, type Box } from './ranges.ts';

/** With more inputs the boxes would be too many before they are small. */
const maxInputs = 4;

/** Whether boxes on which the statement holds cover its whole domain; `boxes` counts those that were examined. */
export type Cover =
  | { readonly verdict: 'proved'; readonly boxes: number; readonly axioms: readonly AxiomId[] }
  /** At this point the premises hold and the statement certainly does not. */
  | { readonly verdict: 'refuted'; readonly model: Model; readonly boxes: number; readonly axioms: readonly AxiomId[] }
  | { readonly verdict: 'undecided'; readonly boxes: number; readonly spent: boolean }
  | { readonly verdict: 'too many inputs'; readonly boxes: 0 };

/**
 * Decides whether `statement` holds wherever the premises do, with at most `limit` boxes for one input and fewer for more.
 * Undecided is `spent` when there were too few boxes, and not when a box could not be cut.
 */
export function coverBoxes(problem: ProofProblem, statement: BooleanExpression, limit: number): Cover {
  const inputs = inputsOf([...numbersIn(statement), ...problem.premises.flatMap(numbersIn)]);
  if (inputs.size > maxInputs) return { verdict: 'too many inputs', boxes: 0 };
  // Every further input multiplies the number of boxes needed; what these do not show, more would not.
  const most = Math.ceil(limit / 4 ** Math.max(0, inputs.size - 1));
  const variables = new Map(problem.variables.map((variable) => [variable.name, variable]));
  const whole = boxOf(problem);
  const anything: Interval = { low: -Infinity, high: Infinity };
  const stack: Box[] = [new Map([...inputs].toSorted().map((name) => [name, whole.get(name) ?? anything]))];
  const axioms = new Set<AxiomId>();
  let boxes = 0;
  for (let box = stack.pop(); box; box = stack.pop()) {
    if (boxes >= most) return { verdict: 'undecided', boxes, spent: true };
    boxes += 1;
    const ranges = createRanges(box, problem.premises);
    const holds =
      problem.premises.some((premise) => ranges.truth(premise) === false) || ranges.truth(statement) === true;
    for (const axiom of ranges.axioms()) axioms.add(axiom);
    if (holds) continue;
    const model = failsAt(problem, statement, box, variables);
    if (model) return { verdict: 'refuted', model, boxes, axioms: [...axioms].toSorted() };
    const parts = split(box, variables);
    if (parts === null) return { verdict: 'undecided', boxes, spent: false };
    stack.push(...parts);
  }
  return { verdict: 'proved', boxes, axioms: [...axioms].toSorted() };
}

/** The variables below some nodes, conditions included. */
function inputsOf(nodes: readonly NumberExpression[]): ReadonlySet<string> {
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

function numbersIn(node: BooleanExpression): readonly NumberExpression[] {
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

/** The middle of the box, when all premises hold there and the statement does not, both for certain. */
function failsAt(
  problem: ProofProblem,
  statement: BooleanExpression,
  box: Box,
  variables: ReadonlyMap<string, ProofVariable>,
): Model | null {
  const model = new Map<string, number>();
  for (const [name, interval] of box) {
    const value = allowedMiddle(variables.get(name), interval);
    if (value === null) return null;
    model.set(name, value);
  }
  const { truth } = createRanges(new Map([...model].map(([name, value]) => [name, { low: value, high: value }])), []);
  return problem.premises.every((premise) => truth(premise) === true) && truth(statement) === false ? model : null;
}

/** The middle as a number that the variable may have, or null if there is none near. */
function allowedMiddle(variable: ProofVariable | undefined, interval: Interval): number | null {
  if (variable?.choices) {
    const inside = variable.choices.map(toFloat).filter((value) => value >= interval.low && value <= interval.high);
    return inside[Math.floor(inside.length / 2)] ?? null;
  }
  const value = middle(interval);
  const near = nearest(variable?.format ?? 'real', value);
  return near >= interval.low && near <= interval.high ? near : null;
}

function nearest(format: ProofVariable['format'], value: number): number {
  if (format === 'integer') return Math.round(value);
  return format === 'real' ? value : floatFormats[format].round(value);
}

/** The box cut across its widest side; null if no side can be cut. */
function split(box: Box, variables: ReadonlyMap<string, ProofVariable>): readonly Box[] | null {
  let widest: { readonly name: string; readonly parts: readonly Interval[] } | null = null;
  let width = -1;
  for (const [name, interval] of box) {
    const parts = halves(interval, variables.get(name)?.format ?? 'real');
    if (parts === null || spread(interval) <= width) continue;
    width = spread(interval);
    widest = { name, parts };
  }
  if (widest === null) return null;
  const { name, parts } = widest;
  return parts.map((part) => new Map([...box, [name, part]]));
}

/** There is no number between two neighbours of the format, so the halves need not touch. */
function halves({ low, high }: Interval, format: ProofVariable['format']): readonly Interval[] | null {
  const cut = nearest(format, middle({ low, high }));
  if (cut < low || cut > high) return null;
  // Rounding may have reached the upper end; a half must not equal the whole.
  const [end, start] = cut === high ? [before(format, cut), cut] : [cut, after(format, cut)];
  const parts = [
    { low, high: end },
    { low: start, high },
  ];
  const smaller = parts.every((part) => part.low <= part.high && (part.low !== low || part.high !== high));
  return smaller ? parts : null;
}

function after(format: ProofVariable['format'], value: number): number {
  if (format === 'integer') return value + 1;
  return format === 'real' ? value : floatFormats[format].nextUp(value);
}

function before(format: ProofVariable['format'], value: number): number {
  if (format === 'integer') return value - 1;
  return format === 'real' ? value : floatFormats[format].nextDown(value);
}

/** How far apart the ends are, in binades if their magnitudes differ; more than that across 0. */
function spread({ low, high }: Interval): number {
  if (low < 0 && high > 0) return 400;
  const [small, large] = [Math.min(Math.abs(low), Math.abs(high)), Math.max(Math.abs(low), Math.abs(high))];
  const binades = Math.log2(Math.min(large, 2 ** 128) + 2 ** -160) - Math.log2(small + 2 ** -160);
  return binades;
}
