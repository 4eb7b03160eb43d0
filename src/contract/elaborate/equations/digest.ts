/** Digests of what decides a verdict, which excludes names of bound variables, places in files and wording. */
import { canonicalJson, type JsonValue } from '../../../base/canonical-json.ts';
import { sha256 } from '../../../evidence/digest.ts';
import type { Bound, Domain } from '../../../math/domain.ts';
import { termKey, typeKey } from '../../../math/term/term-key.ts';
import type { Application, GivenCase, Parameter } from '../../goal.ts';

/** `sha256:…` of the canonical JSON of `value`. */
export function digestOf(value: JsonValue): string {
  return sha256(canonicalJson(value));
}

/** A domain for a digest: ranges and preconditions by their structural keys, without the places of their texts. */
export function domainJson(domain: Domain): JsonValue {
  return {
    sizes: domain.sizes.map((size) => [
      size.name,
      size.minimum,
      size.maximum,
      size.multipleOf,
      size.definition && termKey(size.definition),
    ]),
    variables: domain.variables.map((input) => ({
      name: input.name,
      type: typeKey(
        input.shape.length === 0 ? input.element : { kind: 'tensor', element: input.element, shape: input.shape },
      ),
      lower: boundJson(input.lower),
      upper: boundJson(input.upper),
      choices: input.choices && input.choices.map(termKey),
      excluded: input.excluded.map(termKey),
      nonFinite: input.nonFinite,
      structure: input.structure,
      ...(input.real ? { real: true } : {}),
      ...(input.alphabet ? { alphabet: input.alphabet.join('') } : {}),
    })),
    preconditions: domain.preconditions.map(termKey),
  };
}

function boundJson(bound: Bound | null): JsonValue {
  return bound && [termKey(bound.value), bound.open];
}

/** Names and types of parameters, in order. */
export function parametersJson(parameters: readonly Parameter[]): JsonValue {
  return parameters.map((parameter) => [parameter.name, typeKey(parameter.type)]);
}

/** One application of an equation, with structural keys in place of its terms. */
export function applicationJson(application: Application): JsonValue {
  return [
    application.output,
    application.equation,
    application.arguments.map(termKey),
    application.sizes.map(termKey),
    typeKey(application.type),
    ...(application.each ? [application.each.sizes.map(termKey), [...application.each.arguments]] : []),
  ];
}

/** Numbers as text: JSON has no −0, NaN or infinities. */
export function givenJson(given: readonly GivenCase[] | null): JsonValue {
  return given && given.map((one) => [one.sizes.map(numberText), one.values.map(valueJson)]);
}

/** A string is quoted, so that it is not a number. */
function valueJson(value: GivenCase['values'][number]): JsonValue {
  if (typeof value === 'string') return JSON.stringify(value);
  return typeof value === 'number' ? numberText(value) : value.map(numberText);
}

function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}
