/** Claims and equations with the numbers put in, so that a person can check them by eye. */
import { present } from '../../base/invariant.ts';
import type { DataGoal, DefinedEquation, WrittenContract, WrittenFormula } from '../../contract/data-contract.ts';
import type { DataModel } from '../../contract/goal.ts';
import type { Expression } from '../../math/notation/syntax.ts';
import type { Range } from '../../diagnostics/source.ts';
import { branchTaken } from './branch-taken.ts';
import type { Environment } from './environment.ts';
import type { Term } from '../../math/term/term.ts';
import type { ScalarValue } from './bound-input.ts';
import { scalarValue } from './evaluate.ts';
import { gatherInputs, truthIn } from './gather.ts';
import type { BoundInputs } from './inputs.ts';
import { relevantPart } from './relevant.ts';

/** Numbers as people write them: integers in full, others to six digits or as many as are asked for. */
export function numberText(value: ScalarValue, digits = 6): string {
  if (typeof value !== 'number') return typeof value === 'string' ? `"${value}"` : String(value);
  if (value === Infinity || value === -Infinity) return value < 0 ? '-∞' : '∞';
  return Number.isSafeInteger(value) ? String(value) : String(Number(value.toPrecision(digits)));
}

const numerals = /(?<![\w.])(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/gu;

/** A number of a file; in full if float64 does not hold it. */
function givenText(value: ScalarValue, written: Term | undefined, beside: readonly ScalarValue[]): string {
  const isRounded = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
  return isRounded && written?.kind === 'number' ? written.value : apartText(value, beside);
}

/** More digits where six do not tell a number from those that it may be compared with; what float64 rounds is no difference. */
function apartText(value: ScalarValue, beside: readonly ScalarValue[]): string {
  if (typeof value !== 'number') return numberText(value);
  const others = beside.filter(
    (other): other is number => typeof other === 'number' && Math.abs(other - value) > 1e-12 * Math.abs(value),
  );
  const tells = (digits: number): boolean =>
    others.every((other) => numberText(other, digits) !== numberText(value, digits));
  return numberText(value, [6, 9].find(tells) ?? 13);
}

/** The claim as its contract has it. */
export function writtenClaim(contract: WrittenContract, { claim }: Pick<DataGoal, 'claim'>): WrittenFormula {
  const written = contract.obligations.find(({ id }) => id === claim)?.formal;
  return present(written, 'a goal is made from the formal text of its claim');
}

/**
 * The claim with the values of its names, then every equation that it uses, directly or through others, as
 * `steps_per_epoch = ⌊num_sequences / (batch_size·grad_accum)⌋ = ⌊22079 / (4·128)⌋ = 43`.
 */
export async function numbersOf(
  goal: DataGoal,
  contract: WrittenContract,
  equations: readonly DefinedEquation[],
  environment: Environment,
  { data, bound }: { readonly data: DataModel; readonly bound: BoundInputs },
): Promise<readonly string[]> {
  const truthOf = truthIn(data, bound);
  const known = new Map<string, string>();
  const formal = writtenClaim(contract, goal);
  const beside = [...environment.scalars.values(), ...(formal.text.match(numerals) ?? []).map(Number)];
  for (const [name, value] of environment.scalars)
    known.set(name, givenText(value, environment.written.get(name), beside));
  const lines: string[] = [];
  const seen = new Set<string>();
  const visit = async (text: WrittenFormula): Promise<void> => {
    for (const name of namesIn(text)) {
      const model = equations.find((one) => one.symbol === name || one.name === name);
      if (!model || seen.has(model.name) || model.result.kind === 'tensor') continue;
      seen.add(model.name);
      const written = contract.equations.find((one) => one.name === model.name);
      if (written) await visit(written.formula);
      const body = relevantPart(model.body, truthOf);
      const computed = await valueOf(body, environment);
      if (computed === null || !written) continue;
      const value = apartText(computed, beside);
      beside.push(computed);
      for (const [input, given] of gatherInputs(data, bound, [model.body]).scalars)
        if (!known.has(input)) known.set(input, numberText(given));
      known.set(model.symbol, value).set(model.name, value);
      const branch = branchTaken(written.formula, model.body, (condition) => truthOf(relevantPart(condition, truthOf)));
      const range = branch?.value ?? afterEquals(written.formula.text);
      const right = written.formula.text.slice(range.start, range.end).trim();
      const numbers = substituted(written.formula, known, range).trim();
      const because = branch === null ? '' : ` (${branch.because})`;
      lines.push(`${model.symbol} = ${[...new Set([right, numbers, value])].join(' = ')}${because}`);
    }
  };
  await visit(formal);
  const claim = substituted(formal, known, { start: 0, end: formal.text.length });
  return [...(claim === formal.text ? [] : [claim]), ...lines.toReversed()];
}

/** The value of an equation; null where it cannot be computed. */
export async function valueOf(body: Term, environment: Environment): Promise<ScalarValue | null> {
  try {
    return await scalarValue(body, environment);
  } catch (thrown) {
    // A value that the claim does not need may depend on missing inputs.
    if (thrown instanceof Error) return null;
    throw thrown;
  }
}

function afterEquals(text: string): Range {
  return { start: text.indexOf('=') + 1, end: text.length };
}

/** A part of the text with each known name replaced by its value. */
function substituted(text: WrittenFormula, known: ReadonlyMap<string, string>, part: Range): string {
  let result = text.text.slice(part.start, part.end);
  for (const { name, start, end } of namePlaces(text).toSorted((a, b) => b.start - a.start)) {
    const value = known.get(name);
    if (value === undefined || start < part.start || end > part.end) continue;
    result = `${result.slice(0, start - part.start)}${value}${result.slice(end - part.start)}`;
  }
  return result;
}

/** The names of a formula; that of an element, such as `rate_t`, is one name. */
export function namesIn(text: WrittenFormula): ReadonlySet<string> {
  return new Set(namePlaces(text).map(({ name }) => name));
}

interface NamePlace {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

function namePlaces(text: WrittenFormula): readonly NamePlace[] {
  const found: NamePlace[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) node.forEach(visit);
    else if (isNode(node)) {
      if (node.kind === 'name') found.push({ name: node.text, start: node.range.start, end: node.range.end });
      else Object.values(node).forEach(visit);
    } else if (typeof node === 'object' && node !== null) Object.values(node).forEach(visit);
  };
  for (const { body, conditions, definitions } of text.notation.statements) visit([body, conditions, definitions]);
  return found;
}

function isNode(value: unknown): value is Expression {
  return typeof value === 'object' && value !== null && 'kind' in value && 'range' in value;
}
