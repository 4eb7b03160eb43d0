import type { Tolerance } from '../contract.ts';
import { knownKeys } from '../schema/validate.generated.ts';
import type { YamlMapping, YamlNode, YamlScalar } from '../yaml/node.ts';
import { formalField, mappingField, numberField, openFields, spanOfNode, textField, type Decoder } from './fields.ts';

/** The tolerance of a claim, and those of single backends and of libraries that differ from it. */
export interface Tolerances {
  readonly common: Tolerance | null;
  readonly backends: ReadonlyMap<string, Tolerance>;
  /** For kernels of the accuracy class `library`. */
  readonly library: Tolerance | null;
}

const noBackends: ReadonlyMap<string, Tolerance> = new Map();

/**
 * A tolerance: `{ abs: 6e-8, per: n }`, or upstream's bare number. A bare number means units in the last place if `inUlp` is
 * true (upstream's SIMD comparisons: `tolerance: 4.0`), otherwise an absolute difference. Null if the value is neither (the
 * schema has reported it).
 */
export function decodeTolerances(decoder: Decoder, node: YamlNode | null, path: string, inUlp: boolean): Tolerances {
  if (node?.kind === 'scalar')
    return { common: bareTolerance(decoder, node, inUlp), backends: noBackends, library: null };
  if (node?.kind !== 'mapping') return { common: null, backends: noBackends, library: null };
  const fields = openFields(decoder, node, 'tolerance', path);
  const part = (key: string): number | null => atLeastZero(numberField(fields, key));
  const common: Tolerance = {
    abs: part('abs'),
    rel: part('rel'),
    ulp: part('ulp'),
    cond: part('cond'),
    envelope: textField(fields, 'envelope') === 'wgsl' ? 'wgsl' : null,
    per: formalField(fields, 'expression', 'per'),
    unitless: false,
    span: spanOfNode(decoder, node),
  };
  const named = mappingField(fields, 'backends');
  const backends = named ? decodeBackends(decoder, named, `${path}.backends`) : noBackends;
  const { common: library } = decodeTolerances(
    decoder,
    fields.entry('library', 'tolerance')?.value ?? null,
    `${path}.library`,
    false,
  );
  const isNested = backends.size > 0 || library !== null;
  return { common: isNested && isEmpty(common) ? null : common, backends, library };
}

/** If only backends, or only libraries, have tolerances, the others have none. */
function isEmpty({ abs, rel, ulp, cond }: Tolerance): boolean {
  return abs === null && rel === null && ulp === null && cond === null;
}

/** The backends that the key `gpu` covers. */
const gpuBackends = ['webgl2', 'webgpu', 'webgpu-browser'] as const;

/** A backend's own entry overrides `gpu`, which precedes it in the schema. */
function decodeBackends(decoder: Decoder, node: YamlMapping, path: string): Tolerances['backends'] {
  const fields = openFields(decoder, node, 'tolerance.backends', path);
  const known = (knownKeys['tolerance.backends'] ?? []).flatMap((backend) => {
    const { common } = decodeTolerances(
      decoder,
      fields.entry(backend, 'tolerance')?.value ?? null,
      `${path}.${backend}`,
      false,
    );
    const meant = backend === 'gpu' ? gpuBackends : [backend];
    return common ? meant.map((name) => [name, common] as const) : [];
  });
  return new Map(known);
}

function bareTolerance(decoder: Decoder, node: YamlScalar, inUlp: boolean): Tolerance | null {
  const value = typeof node.value === 'number' ? atLeastZero(node.value) : null;
  if (value === null) return null;
  return {
    abs: inUlp ? null : value,
    rel: null,
    ulp: inUlp ? value : null,
    cond: null,
    envelope: null,
    per: null,
    unitless: true,
    span: spanOfNode(decoder, node),
  };
}

/** The schema has reported negative and infinite parts, which must not be used to judge a claim. */
function atLeastZero(value: number | null): number | null {
  return value !== null && value >= 0 && Number.isFinite(value) ? value : null;
}
