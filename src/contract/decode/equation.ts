import type { Equation } from '../contract.ts';
import type { YamlEntry } from '../yaml/node.ts';
import {
  formalField,
  formalListField,
  listField,
  mappingsOf,
  namedFormalsField,
  openFields,
  spanOfNode,
  textField,
  type Decoder,
  type Fields,
} from './fields.ts';

/** One entry of `equations`; null if it is not a mapping or has no formula (the schema has reported it). */
export function decodeEquation(decoder: Decoder, entry: YamlEntry): Equation | null {
  if (entry.value.kind !== 'mapping') return null;
  const fields = openFields(decoder, entry.value, 'equation', `equations.${entry.key}`);
  const formula = formalField(fields, 'formula', 'formula');
  if (!formula) return null;
  return {
    name: entry.key,
    nameSpan: { source: decoder.source, range: entry.keyRange },
    description: textField(fields, 'description'),
    formula,
    domain: formalField(fields, 'domain', 'domain'),
    codomain: formalField(fields, 'domain', 'codomain'),
    large: largeSizes(fields),
    invariants: [
      ...formalListField(fields, 'invariants', 'proposition'),
      ...namedFormalsField(fields, 'properties', 'proposition'),
    ],
    preconditions: formalListField(fields, 'preconditions', 'proposition'),
    postconditions: formalListField(fields, 'postconditions', 'proposition'),
    references: listField(fields, 'references').map((reference) => reference.value),
  };
}

/** The schema has reported anything that is not an integer. */
function largeSizes(fields: Fields): Equation['large'] {
  const node = fields.entry('large', 'list')?.value ?? null;
  return mappingsOf(node, `${fields.path}.large`).map(
    ({ node: { entries } }) =>
      new Map(
        entries.flatMap(({ key, value }) =>
          value.kind === 'scalar' && typeof value.value === 'number'
            ? [[key, { value: value.value, span: spanOfNode(fields.decoder, value) }] as const]
            : [],
        ),
      ),
  );
}
