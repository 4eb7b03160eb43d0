/**
 * A domain prepared for generation: every term compiled, every axis tied to the size that it follows.
 */
import { floatFormats, type FloatFormatTraits } from '../../numeric/float-format.ts';
import { err, ok, type Result } from '../../base/result.ts';
import type { Bound, Domain, InputVariable } from '../../math/domain.ts';
import { anyIntegerFormat, integerFormat } from './integer-format.ts';
import { hasLoop, scalarFunction, type ScalarFunction } from './scalar-function.ts';
import { freeVariables } from '../../math/term/traverse.ts';

/** A size with its range; one with a definition is computed instead of drawn. */
export interface SizePlan {
  readonly name: string;
  readonly minimum: number;
  readonly maximum: number;
  readonly multipleOf: number;
  readonly definition: ScalarFunction | null;
}

/** One end of a range, computed from values that were drawn earlier. */
export interface BoundPlan {
  readonly value: ScalarFunction;
  readonly open: boolean;
}

/** An input with its format and its range. */
export interface VariablePlan {
  readonly name: string;
  readonly storage: 'number' | 'string' | 'f32' | 'f64' | 'i32';
  readonly format: FloatFormatTraits;
  readonly integer: boolean;
  /** Whether doubles represent all numbers: a bound that is not a double may lie on either side of the nearest one. */
  readonly wide: boolean;
  readonly shape: readonly ScalarFunction[];
  /** Per axis: the index of the size that is its length, or −1 when the length is a computed term. */
  readonly axisSizes: readonly number[];
  readonly lower: BoundPlan | null;
  readonly upper: BoundPlan | null;
  /** Numeric choices; null if there are none or the variable is a string. */
  readonly choices: readonly ScalarFunction[] | null;
  readonly stringChoices: readonly string[] | null;
  /** The characters of a string; null: any. */
  readonly alphabet: readonly string[] | null;
  readonly excluded: readonly ScalarFunction[];
  readonly nonFinite: boolean;
  readonly structure: InputVariable['structure'];
}

/** Everything that drawing a case needs. */
export interface DomainPlan {
  readonly sizes: readonly SizePlan[];
  readonly variables: readonly VariablePlan[];
  /** Preconditions over sizes alone and without loops: satisfied by choosing sizes, instead of filtering whole blocks. */
  readonly sizePreconditions: readonly ScalarFunction[];
}

interface Stored {
  readonly storage: VariablePlan['storage'];
  readonly format: FloatFormatTraits;
  readonly wide: boolean;
}

/** A kernel receives a real as float32, and whole numbers of 32 bits; over the reals both are any double. */
function storedAs({ element, real, shape }: InputVariable, unlimited: boolean): Stored {
  const whole = element.kind === 'integer' || element.kind === 'boolean';
  const wide = unlimited && (whole || real === true);
  const float = wide ? 'f64' : element.kind === 'float' ? element.format : 'f32';
  const tensor = wide ? 'f64' : whole ? 'i32' : float === 'f64' ? 'f64' : 'f32';
  return {
    storage: element.kind === 'string' ? 'string' : shape.length === 0 ? 'number' : tensor,
    wide,
    format: whole ? (unlimited ? anyIntegerFormat : integerFormat) : floatFormats[float],
  };
}

/** `x ∈ {0, ∞}`; a value that depends on other inputs, `x = 2y`, overflows without belonging to the domain. */
function listsNonFinite({ element, choices }: InputVariable): boolean {
  const constants = element.kind === 'string' ? [] : (choices ?? []).filter((term) => freeVariables(term).size === 0);
  return constants.some((term) => !Number.isFinite(scalarFunction(term)(() => NaN)));
}

function planVariable(
  variable: InputVariable,
  sizeNames: readonly string[],
  unlimited: boolean,
): Result<VariablePlan, string> {
  const { name, element, shape, choices } = variable;
  const isString = element.kind === 'string';
  if (isString && shape.length > 0) return err(`${name}: tensors of strings cannot be generated`);
  const bound = (b: Bound | null): BoundPlan | null => b && { value: scalarFunction(b.value), open: b.open };
  const integer = element.kind === 'integer' || element.kind === 'boolean';
  const bits: readonly ScalarFunction[] | null = element.kind === 'boolean' ? [() => 0, () => 1] : null;
  return ok({
    name,
    ...storedAs(variable, unlimited),
    integer,
    shape: shape.map(scalarFunction),
    axisSizes: shape.map((axis) => (axis.kind === 'variable' ? sizeNames.indexOf(axis.name) : -1)),
    lower: bound(variable.lower),
    upper: bound(variable.upper),
    choices: isString ? null : (choices?.map(scalarFunction) ?? bits),
    stringChoices: isString ? (choices?.flatMap((c) => (c.kind === 'string' ? [c.value] : [])) ?? null) : null,
    alphabet: variable.alphabet ?? null,
    excluded: isString ? [] : variable.excluded.map(scalarFunction),
    nonFinite: variable.nonFinite || listsNonFinite(variable),
    structure: variable.structure,
  });
}

/** Prepares `domain`; the error says, for the person who wrote it, what cannot be generated. */
export function planDomain(domain: Domain): Result<DomainPlan, string> {
  const sizeNames = domain.sizes.map((size) => size.name);
  const variables: VariablePlan[] = [];
  for (const variable of domain.variables) {
    const planned = planVariable(variable, sizeNames, domain.unlimited === true);
    if (!planned.ok) return planned;
    variables.push(planned.value);
  }
  const overSizes = domain.preconditions.filter(
    (term) => !hasLoop(term) && [...freeVariables(term)].every((name) => sizeNames.includes(name)),
  );
  return ok({
    sizes: domain.sizes.map((size) => ({ ...size, definition: size.definition && scalarFunction(size.definition) })),
    variables,
    sizePreconditions: overSizes.map(scalarFunction),
  });
}
