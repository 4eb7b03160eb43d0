/** `diagnosis` of an obligation about data: its brick, and what explains its violation. */
import type { DiagnosisHint } from '../contract.ts';
import { listField, mappingField, openFields, textField, type Decoder, type Fields } from './fields.ts';

const granularities = ['kernel', 'block', 'transfer', 'loop'] as const;
const scopes = ['local', 'global'] as const;
const natures = ['static', 'dynamic'] as const;

/** Null without the key. Values outside their lists become null; the schema reports them. */
export function decodeDiagnosis(decoder: Decoder, obligation: Fields, path: string): DiagnosisHint | null {
  const node = mappingField(obligation, 'diagnosis');
  if (!node) return null;
  const fields = openFields(decoder, node, 'diagnosis', `${path}.diagnosis`);
  return {
    granularity: oneOf(granularities, textField(fields, 'granularity')),
    scope: oneOf(scopes, textField(fields, 'scope')),
    nature: oneOf(natures, textField(fields, 'nature')),
    causedBy: fields.entry('caused_by', 'list') ? listField(fields, 'caused_by') : null,
  };
}

/** Null for any other word: the schema has reported it. */
function oneOf<WORD extends string>(words: readonly WORD[], text: string | null): WORD | null {
  return words.find((word) => word === text) ?? null;
}
