/** The inputs of a claim as variables of a problem, and what its domain says about them. */
import { present } from '../../base/invariant.ts';
import { floatFormats } from '../../numeric/float-format.ts';
import {
  addRational,
  compareRational,
  floorRational,
  fromFloat,
  negateRational,
  ONE,
  toFloat,
  ZERO,
  type Rational,
} from '../../numeric/rational.ts';
import { floorToFormat, type BinaryFormat } from '../../numeric/round-rational.ts';
import { boundTerms } from '../../math/term/bound-terms.ts';
import type { Bound, Domain, InputVariable } from '../../math/domain.ts';
import type { Term } from '../../math/term/term.ts';
import type { BooleanExpression, NumberExpression } from '../expression.ts';
import type { ProofInstance, ProofVariable } from '../problem.ts';
import type { ScalarExpression, SymbolicValue } from './symbolic-value.ts';
import { number, truth, wholeNumber } from './translate.ts';
import { bindName, definedConditions, refuse, type Frame, type Translation } from './translation.ts';

/** The inputs of a problem, and what its domain says about them. */
export interface Inputs {
  readonly variables: readonly ProofVariable[];
  readonly premises: readonly BooleanExpression[];
  /** Sizes and inputs by name. */
  readonly frame: Frame | null;
}

type Format = ProofVariable['format'];

const binaryFormats: Readonly<Record<'f16' | 'bf16' | 'f32' | 'f64', BinaryFormat>> = {
  f16: { precision: 11, smallestExponent: -24 },
  bf16: { precision: 8, smallestExponent: -133 },
  f32: { precision: 24, smallestExponent: -149 },
  f64: { precision: 53, smallestExponent: -1074 },
};

/** The largest whole number that kernels receive. */
const largestInteger = fromFloat(2 ** 31 - 1);

/** Whom inputs are given to: a kernel receives numbers of 32 bits, and a formula takes any. */
export type Receiver = ProofInstance['subject'];

/** One variable per element, at the given sizes in the order of the domain's. */
export function inputsOf(
  translation: Translation,
  domain: Domain,
  sizes: readonly number[],
  receiver: Receiver,
): Inputs {
  const { graph } = translation;
  let frame: Frame | null = null;
  domain.sizes.forEach(({ name }, i) => {
    frame = bindName(name, graph.integer(present(sizes[i], 'each size of a domain is chosen')), frame);
  });
  const variables: ProofVariable[] = [];
  const premises: BooleanExpression[] = [];
  for (const variable of domain.variables) {
    const input = whereDefined(translation, premises, () => inputOf(translation, variable, frame, receiver));
    variables.push(...input.variables);
    premises.push(...input.premises);
    frame = bindName(variable.name, input.value, frame);
  }
  for (const term of domain.preconditions)
    premises.push(whereDefined(translation, premises, () => truth(translation, term, frame, graph.true)));
  return { variables, premises, frame };
}

/** An input at which a condition of the domain has no value is not in the domain. */
function whereDefined<T>(translation: Translation, premises: BooleanExpression[], read: () => T): T {
  const result = read();
  premises.push(...definedConditions(translation.graph, translation.demands).map(({ condition }) => condition));
  translation.demands = [];
  return result;
}

interface Input {
  readonly variables: readonly ProofVariable[];
  readonly premises: readonly BooleanExpression[];
  readonly value: SymbolicValue;
}

function formatOf({ element, real }: InputVariable, receiver: Receiver): Format | null {
  switch (element.kind) {
    case 'integer':
    case 'boolean':
      return 'integer';
    case 'real':
      return receiver === 'kernel' ? 'f32' : 'real';
    case 'float':
      return real && receiver === 'formula' ? 'real' : element.format;
    case 'string':
      return null;
  }
}

function inputOf(translation: Translation, variable: InputVariable, frame: Frame | null, receiver: Receiver): Input {
  const { graph } = translation;
  const format = formatOf(variable, receiver);
  if (format === null || variable.nonFinite) {
    const what =
      format === null
        ? 'is a string: proofs are about numbers'
        : 'may be NaN or infinite: proofs are about numbers, unless the strategy is exhaustive, which runs every value';
    return {
      variables: [],
      premises: [],
      value: refuse(translation, `${variable.name} ${what}`),
    };
  }
  const shape = variable.shape.map((size) => wholeNumber(translation, size, frame));
  const limits = limitsOf(translation, variable, frame, { format, largest: largestOf(format, receiver) });
  const names =
    shape.length === 0 ? [variable.name] : indicesOf(shape).map((at) => `${variable.name}[${at.join(',')}]`);
  if (format === 'integer') for (const name of names) translation.wholeVariables.add(name);
  else if (format !== 'real' && format !== 'f64') for (const name of names) translation.float32Variables.add(name);
  const expressions = names.map((name) => graph.variable(name));
  const { low, high, choices } = limits;
  const variables = names.map((name, i): ProofVariable => ({
    expression: expressions[i] ?? graph.variable(name),
    name,
    format,
    low,
    high,
    choices,
  }));
  const premises = [
    ...expressions.flatMap(limits.premisesOf),
    ...structurePremises(translation, variable.structure, expressions, shape.at(-1) ?? 1),
  ];
  const isBoolean = variable.element.kind === 'boolean';
  const elements = expressions.map((one): ScalarExpression => (isBoolean ? graph.equal(one, graph.integer(1)) : one));
  const [only] = elements;
  const value: SymbolicValue = shape.length === 0 && only ? only : { sort: 'tensor', shape, elements };
  return { variables, premises, value };
}

/** Row-major. */
function indicesOf(shape: readonly number[]): readonly (readonly number[])[] {
  return shape.reduce<readonly (readonly number[])[]>(
    (all, size) => all.flatMap((outer) => Array.from({ length: size }, (_, i) => [...outer, i])),
    [[]],
  );
}

/** Where the numbers of a format end, in both directions; null if they do not. */
function largestOf(format: Format, receiver: Receiver): Rational | null {
  if (format === 'real') return null;
  if (format === 'integer') return receiver === 'kernel' ? largestInteger : null;
  return fromFloat(floatFormats[format].maximum);
}

interface Numbers {
  readonly format: Format;
  readonly largest: Rational | null;
}

interface Limits {
  readonly low: Rational | null;
  readonly high: Rational | null;
  readonly choices: readonly Rational[] | null;
  /** What the bounds do not say. */
  readonly premisesOf: (element: NumberExpression) => readonly BooleanExpression[];
}

function limitsOf(
  translation: Translation,
  { element, lower, upper, choices, excluded, structure }: InputVariable,
  frame: Frame | null,
  { format, largest }: Numbers,
): Limits {
  const { graph } = translation;
  const at = (term: Term): NumberExpression => number(translation, term, frame, graph.true);
  const [below, above] = [sidesOf(lower, 'maximum', at), sidesOf(upper, 'minimum', at)];
  const values = element.kind === 'boolean' ? [graph.integer(0), graph.integer(1)] : (choices?.map(at) ?? null);
  const without = excluded.map(at);
  const known = values && knownChoices(values, format);
  const [low, high] = closedBounds({ format, largest }, { below, above }, structure === 'simplex');
  return {
    low: known ? least(known, -1) : low,
    high: known ? least(known, 1) : high,
    choices: known,
    premisesOf: (x) => [
      ...(values && !known ? [graph.or(values.map((value) => graph.equal(x, value)))] : []),
      ...(values === null ? boundPremises(translation, format, x, { below, above }) : []),
      ...without.map((value) => graph.not(graph.equal(x, value))),
    ],
  };
}

interface Side {
  readonly value: NumberExpression;
  readonly open: boolean;
}

interface Sides {
  readonly below: readonly Side[];
  readonly above: readonly Side[];
}

/** What bounds from one side, each by itself. */
function sidesOf(
  bound: Bound | null,
  by: 'minimum' | 'maximum',
  at: (term: Term) => NumberExpression,
): readonly Side[] {
  if (bound === null) return [];
  return boundTerms(bound.value, by).map((term) => ({ value: at(term), open: bound.open }));
}

/** Bounds that depend on other inputs, and open bounds of reals, which have no last number before them. */
function boundPremises(
  { graph }: Translation,
  format: Format,
  x: NumberExpression,
  { below, above }: Sides,
): readonly BooleanExpression[] {
  const relation = (open: boolean, a: NumberExpression, b: NumberExpression): BooleanExpression =>
    open ? graph.less(a, b) : graph.lessEqual(a, b);
  const needed = (side: Side): boolean => side.value.kind !== 'constant' || (side.open && format === 'real');
  return [
    ...below.filter(needed).map(({ open, value }) => relation(open, value, x)),
    ...above.filter(needed).map(({ open, value }) => relation(open, x, value)),
  ];
}

/** Rounded to the format as the generator rounds them; null if one depends on the input. */
function knownChoices(values: readonly NumberExpression[], format: Format): readonly Rational[] | null {
  const known = values.flatMap((value) => (value.kind === 'constant' ? [value.value] : []));
  if (known.length < values.length) return null;
  if (format === 'real' || format === 'integer') return known;
  return known.map((value) => fromFloat(floatFormats[format].round(toFloat(value))));
}

function least(values: readonly Rational[], sign: 1 | -1): Rational {
  return values.reduce((best, value) => (sign * compareRational(value, best) > 0 ? value : best));
}

/** The smallest and the largest number of the format within the bounds; of bounds that depend on the input, its ends. */
function closedBounds(
  { format, largest }: Numbers,
  { below, above }: Sides,
  sumsToOne: boolean,
): readonly [Rational | null, Rational | null] {
  const within = ({ value, open }: Side): readonly Rational[] => {
    if (value.kind !== 'constant') return [];
    const isInside = largest === null || compareRational(value.value, largest) < 0;
    return [greatestWithin(format, isInside ? value.value : largest, open && isInside)];
  };
  const ends = largest ? [largest] : [];
  const upper = (sides: readonly Side[]): Rational | null => {
    const all = [...ends, ...sides.flatMap(within)];
    return all.length > 0 ? least(all, -1) : null;
  };
  const mirrored = below.map(({ value, open }) => ({
    open,
    value: value.kind === 'constant' ? { ...value, value: negateRational(value.value) } : value,
  }));
  const mirroredLow = upper(mirrored);
  const [low, high] = [mirroredLow && negateRational(mirroredLow), upper(above)];
  const isShare = sumsToOne && low !== null && compareRational(low, ZERO) >= 0;
  return isShare ? [low, least([high ?? ONE, ONE], -1)] : [low, high];
}

/** The greatest number of the format that is at most `bound`, or below it. */
function greatestWithin(format: Format, bound: Rational, open: boolean): Rational {
  if (format === 'real') return bound;
  if (format === 'integer') {
    const whole: Rational = { numerator: floorRational(bound), denominator: 1n };
    return open && compareRational(whole, bound) === 0 ? addRational(whole, negateRational(ONE)) : whole;
  }
  const nearest = floorToFormat(bound, binaryFormats[format]);
  if (!open || compareRational(nearest, bound) !== 0) return nearest;
  return fromFloat(floatFormats[format].nextDown(toFloat(nearest)));
}

function structurePremises(
  { graph }: Translation,
  structure: InputVariable['structure'],
  elements: readonly NumberExpression[],
  rowLength: number,
): readonly BooleanExpression[] {
  if (structure === 'none') return [];
  const premises: BooleanExpression[] = [];
  for (let from = 0; from < elements.length; from += rowLength) {
    const row = elements.slice(from, from + rowLength);
    if (structure === 'simplex')
      premises.push(
        graph.equal(
          row.reduce((sum, share) => graph.add(sum, share), graph.integer(0)),
          graph.integer(1),
        ),
      );
    else
      premises.push(
        ...row.slice(1).flatMap((after, i) => {
          const before = row[i];
          return before ? [graph.less(before, after)] : [];
        }),
      );
  }
  return premises;
}
