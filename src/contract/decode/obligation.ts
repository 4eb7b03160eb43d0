import type { About, Obligation } from '../contract.ts';
import type { YamlMapping } from '../yaml/node.ts';
import {
  formalField,
  formalListField,
  locatedField,
  numberField,
  openFields,
  spanOfNode,
  textField,
  type Decoder,
} from './fields.ts';
import { decodeDiagnosis } from './diagnosis.ts';
import { decodeMethods } from './methods.ts';
import { semanticsOf } from './semantics.ts';
import { decodeTolerances } from './tolerance.ts';

/** An obligation whose id may still have to be derived. */
export type DecodedObligation = Omit<Obligation, 'id' | 'idDeclared'> & { readonly id: string | null };

/** `usually` is what the obligation is about if it does not say. */
export function decodeObligation(decoder: Decoder, node: YamlMapping, path: string, usually: About): DecodedObligation {
  const fields = openFields(decoder, node, 'obligation', path);
  const property = textField(fields, 'property') ?? '';
  const appliesTo = locatedField(fields, 'applies_to', 'equation');
  const inUlp = appliesTo?.value === 'simd' || /\bulps?\b/i.test(property);
  const tolerances = decodeTolerances(
    decoder,
    fields.entry('tolerance', 'tolerance')?.value ?? null,
    `${path}.tolerance`,
    inUlp,
  );
  return {
    id: textField(fields, 'id'),
    type: textField(fields, 'type') ?? '',
    property,
    formal: formalField(fields, 'proposition', 'formal'),
    requires: formalListField(fields, 'requires', 'domain'),
    tolerance: tolerances.common,
    backendTolerances: tolerances.backends,
    libraryTolerance: tolerances.library,
    semantics: semanticsOf(textField(fields, 'semantics')),
    about: aboutOf(textField(fields, 'about')) ?? usually,
    severity: textField(fields, 'severity') === 'advice' ? 'advice' : 'error',
    leastShare: numberField(fields, 'least_share'),
    ifFails: textField(fields, 'if_fails'),
    diagnosis: decodeDiagnosis(decoder, fields, path),
    appliesTo,
    ...decodeMethods(decoder, fields, path),
    span: spanOfNode(decoder, node),
  };
}

function aboutOf(text: string | null): About | null {
  return text === 'kernel' || text === 'mathematics' || text === 'data' ? text : null;
}
