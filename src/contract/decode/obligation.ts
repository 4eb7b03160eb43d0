import type { Obligation, PropertyMethod, Semantics } from '../contract.ts';
import type { YamlMapping } from '../yaml/node.ts';
import {
  formalField,
  formalListField,
  locatedField,
  mappingField,
  numberField,
  openFields,
  spanOfNode,
  textField,
  type Decoder,
  type Fields,
} from './fields.ts';
import { decodeTolerances } from './tolerance.ts';

/** Level L3 needs this many generated cases. */
export const DEFAULT_CASES = 10_000;

/** An obligation whose id may still have to be derived. */
export type DecodedObligation = Omit<Obligation, 'id' | 'idDeclared'> & { readonly id: string | null };

export function decodeObligation(decoder: Decoder, node: YamlMapping, path: string): DecodedObligation {
  const fields = openFields(decoder, node, 'obligation', path);
  const property = textField(fields, 'property') ?? '';
  const appliesTo = locatedField(fields, 'applies_to', 'equation');
  const inUlp = appliesTo?.value === 'simd' || /\bulps?\b/i.test(property);
  const tolerances = decodeTolerances(decoder, fields.entry('tolerance')?.value ?? null, `${path}.tolerance`, inUlp);
  return {
    id: textField(fields, 'id'),
    type: textField(fields, 'type') ?? '',
    property,
    formal: formalField(fields, 'proposition', 'formal'),
    requires: formalListField(fields, 'requires', 'domain'),
    tolerance: tolerances.common,
    backendTolerances: tolerances.backends,
    semantics: semanticsOf(textField(fields, 'semantics')),
    appliesTo,
    propertyMethod: decodePropertyMethod(decoder, fields, path),
    span: spanOfNode(decoder, node),
  };
}

function semanticsOf(text: string | null): Semantics | null {
  return text === 'real' || text === 'ieee' || text === 'ulp' || text === 'statistical' ? text : null;
}

function decodePropertyMethod(decoder: Decoder, fields: Fields, path: string): PropertyMethod {
  const methods = mappingField(fields, 'methods');
  const property = methods
    ? mappingField(openFields(decoder, methods, 'methods', `${path}.methods`), 'property')
    : null;
  if (!property) return { cases: DEFAULT_CASES, seed: null };
  const settings = openFields(decoder, property, 'methods.property', `${path}.methods.property`);
  return {
    cases: wholeNumber(numberField(settings, 'cases')) ?? DEFAULT_CASES,
    seed: wholeNumber(numberField(settings, 'seed')),
  };
}

function wholeNumber(value: number | null): number | null {
  return value !== null && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
