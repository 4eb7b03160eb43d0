import type { Tolerance } from '../contract.ts';
import type { YamlNode, YamlScalar } from '../yaml/node.ts';
import { formalField, mappingField, numberField, openFields, spanOfNode, type Decoder } from './fields.ts';

/**
 * A tolerance: `{ abs: 6e-8, per: n }`, or upstream's bare number. A bare number means units in the last place
 * where `inUlp` says so (upstream's SIMD comparisons: `tolerance: 4.0`), an absolute difference elsewhere.
 * Null when the value is neither (the schema has reported it).
 */
export function decodeTolerance(
  decoder: Decoder,
  node: YamlNode | null,
  path: string,
  inUlp: boolean,
): Tolerance | null {
  if (node?.kind === 'scalar') return bareTolerance(decoder, node, inUlp);
  if (node?.kind !== 'mapping') return null;
  const fields = openFields(decoder, node, 'tolerance', path);
  const part = (key: string): number | null => atLeastZero(numberField(fields, key));
  return {
    abs: part('abs'),
    rel: part('rel'),
    ulp: part('ulp'),
    cond: part('cond'),
    per: formalField(fields, 'expression', 'per'),
    unitless: false,
    span: spanOfNode(decoder, node),
  };
}

function bareTolerance(decoder: Decoder, node: YamlScalar, inUlp: boolean): Tolerance | null {
  const value = typeof node.value === 'number' ? atLeastZero(node.value) : null;
  if (value === null) return null;
  return {
    abs: inUlp ? null : value,
    rel: null,
    ulp: inUlp ? value : null,
    cond: null,
    per: null,
    unitless: true,
    span: spanOfNode(decoder, node),
  };
}

/** The schema has reported negative and infinite parts; a claim must not be judged by them. */
function atLeastZero(value: number | null): number | null {
  return value !== null && value >= 0 && Number.isFinite(value) ? value : null;
}

/** The tolerances of `tolerance.backends` by backend. */
export function decodeBackendTolerances(
  decoder: Decoder,
  node: YamlNode | null,
  path: string,
): ReadonlyMap<string, Tolerance> {
  const result = new Map<string, Tolerance>();
  if (node?.kind !== 'mapping') return result;
  // Keys of the tolerance itself are checked where it is decoded; here only `backends` is looked at.
  const backends = mappingField(
    { node, path, decoder, entry: (key) => node.entries.find((entry) => entry.key === key) ?? null },
    'backends',
  );
  for (const entry of backends?.entries ?? []) {
    const tolerance = decodeTolerance(decoder, entry.value, `${path}.backends.${entry.key}`, false);
    if (tolerance) result.set(entry.key, tolerance);
  }
  return result;
}
