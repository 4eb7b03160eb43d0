/** Some sizes and integers that a domain allows: enough to find what goes wrong at small ones. */
import type { Bound, Domain, InputVariable, SizeVariable } from '../../../math/domain.ts';
import type { Term } from '../../../math/term/term.ts';
import { evaluateNumber } from '../context/evaluate-number.ts';
import { evaluateTruth } from '../context/evaluate-truth.ts';

/** How many combinations are tried, and how many are returned at most. */
const limits = { tried: 1000, returned: 100 } as const;

type Values = ReadonlyMap<string, number>;

/** Values of all sizes and whole-number scalars that satisfy bounds, definitions and whatever preconditions they decide. */
export function* sizeCases(domain: Domain): Generator<Values> {
  const drawn = domain.sizes.filter((size) => size.definition === null);
  const scalars = domain.variables.filter((input) => input.element.kind === 'integer' && input.shape.length === 0);
  const widths = [...drawn.map(() => sizeOffsets.length), ...scalars.map(() => scalarOffsets.length)];
  const total = widths.reduce((product, width) => Math.min(product * width, Number.MAX_SAFE_INTEGER / 16), 1);
  let returned = 0;
  for (let step = 0; step < Math.min(total, limits.tried) && returned < limits.returned; step++) {
    const values = combination(domain, { drawn, scalars }, digitsOf(spread(step, total), widths));
    if (values === null) continue;
    returned += 1;
    yield values;
  }
}

/** Steps through all combinations; if there are too many, with a stride that visits every axis early. */
function spread(step: number, total: number): number {
  return total <= limits.tried
    ? step
    : Math.floor((step * 0.618_033_988_75 - Math.floor(step * 0.618_033_988_75)) * total);
}

function digitsOf(number: number, widths: readonly number[]): readonly number[] {
  let rest = number;
  return widths.map((width) => {
    const digit = rest % width;
    rest = Math.floor(rest / width);
    return digit;
  });
}

const sizeOffsets = [0, 1, 2, 3, 4] as const;
/** From the lower end, and the upper end last. */
const scalarOffsets = [0, 1, 2, 3, Infinity] as const;

function combination(
  domain: Domain,
  { drawn, scalars }: { readonly drawn: readonly SizeVariable[]; readonly scalars: readonly InputVariable[] },
  digits: readonly number[],
): Values | null {
  const values = new Map<string, number>();
  drawn.forEach((size, i) => {
    const first = Math.ceil(size.minimum / size.multipleOf);
    values.set(size.name, (first + (sizeOffsets[digits[i] ?? 0] ?? 0)) * size.multipleOf);
  });
  for (const size of domain.sizes) {
    const derived = size.definition && evaluateNumber(size.definition, values);
    if (derived !== null) values.set(size.name, derived);
    const value = values.get(size.name);
    if (value === undefined || value < size.minimum || value > size.maximum || value % size.multipleOf !== 0)
      return null;
  }
  for (const [i, input] of scalars.entries()) {
    const value = scalarValue(input, scalarOffsets[digits[drawn.length + i] ?? 0] ?? 0, values);
    if (value === null) return null;
    values.set(input.name, value);
  }
  const refuted = domain.preconditions.some((precondition) => evaluateTruth(precondition, values) === false);
  return refuted ? null : values;
}

function scalarValue(input: InputVariable, offset: number, values: Values): number | null {
  const numberAt = (term: Term): number | null => evaluateNumber(term, values);
  const choices = input.choices?.map(numberAt);
  const choice = choices && (choices[Math.min(offset, choices.length - 1)] ?? null);
  if (choices) return choice ?? null;
  const low = endOf(input.lower, 1, values) ?? -1;
  const high = endOf(input.upper, -1, values) ?? low + 4;
  const value = offset === Infinity ? high : low + offset;
  return low > high || value > high || input.excluded.some((term) => numberAt(term) === value) ? null : value;
}

/** The outermost whole number inside a bound, or null if there is none or it is not known. */
function endOf(bound: Bound | null, inward: 1 | -1, values: Values): number | null {
  const value = bound && evaluateNumber(bound.value, values);
  if (!bound || value === null || !Number.isFinite(value)) return null;
  const end = inward > 0 ? Math.ceil(value) : Math.floor(value);
  return bound.open && end === value ? end + inward : end;
}
