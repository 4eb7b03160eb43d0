/** `methods` of an obligation: how the author asks for it to be decided. */
import type { BoundedMethod, Obligation, ProofMethod, PropertyMethod, StatisticalMethod } from '../contract.ts';
import {
  listField,
  mappingField,
  numberField,
  openFields,
  spanOfNode,
  textField,
  type Decoder,
  type Fields,
} from './fields.ts';

/** The methods of an obligation, each null if the file does not ask for it. */
export type DecodedMethods = Pick<Obligation, 'propertyMethod' | 'boundedMethod' | 'proofMethod' | 'statisticalMethod'>;

/** Kernel runs per setting of a statistical claim: enough for a mean within 3 % of a standard deviation. */
const DEFAULT_DRAWS = 20_000;
const DEFAULT_SETTINGS = 4;
const DEFAULT_ALPHA = 0.001;

/** Reads `methods`; keys of methods that do not exist are reported as unknown. */
export function decodeMethods(decoder: Decoder, fields: Fields, path: string): DecodedMethods {
  const node = mappingField(fields, 'methods');
  const methods = node && openFields(decoder, node, 'methods', `${path}.methods`);
  const settings = (method: string): Fields | null => {
    const mapping = methods && mappingField(methods, method);
    return mapping && openFields(decoder, mapping, `methods.${method}`, `${path}.methods.${method}`);
  };
  return {
    propertyMethod: propertyMethod(settings('property')),
    boundedMethod: boundedMethod(decoder, settings('bounded')),
    proofMethod: proofMethod(decoder, settings('proof')),
    statisticalMethod: statisticalMethod(settings('statistical')),
  };
}

function propertyMethod(fields: Fields | null): PropertyMethod {
  return {
    cases: fields && wholeNumber(numberField(fields, 'cases')),
    seed: fields && wholeNumber(numberField(fields, 'seed')),
  };
}

function boundedMethod(decoder: Decoder, fields: Fields | null): BoundedMethod | null {
  if (fields === null) return null;
  const timeout = numberField(fields, 'timeout');
  return {
    strategy: textField(fields, 'strategy'),
    n: wholeNumber(numberField(fields, 'n')),
    timeout: timeout !== null && timeout > 0 ? timeout : null,
    span: spanOfNode(decoder, fields.node),
  };
}

function proofMethod(decoder: Decoder, fields: Fields | null): ProofMethod | null {
  return (
    fields && {
      unbounded: listField(fields, 'unbounded'),
      unboundedAbove: listField(fields, 'unbounded_above'),
      span: spanOfNode(decoder, fields.node),
    }
  );
}

function statisticalMethod(fields: Fields | null): StatisticalMethod | null {
  if (fields === null) return null;
  const alpha = numberField(fields, 'alpha');
  return {
    random: listField(fields, 'random'),
    draws: wholeNumber(numberField(fields, 'draws')) ?? DEFAULT_DRAWS,
    settings: wholeNumber(numberField(fields, 'settings')) ?? DEFAULT_SETTINGS,
    // The schema has reported any other value.
    alpha: alpha !== null && alpha > 0 && alpha <= 0.1 ? alpha : DEFAULT_ALPHA,
  };
}

function wholeNumber(value: number | null): number | null {
  return value !== null && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
