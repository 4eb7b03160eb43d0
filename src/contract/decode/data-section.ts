/** The section `data` of a contract over data, and the data sets of its falsification tests. */
import type { Control, ControlValue, DataInput, DataSection, Located } from '../contract.ts';
import type { YamlEntry, YamlMapping, YamlNode } from '../yaml/node.ts';
import {
  formalField,
  listField,
  mappingField,
  openFields,
  spanOfNode,
  textField,
  type Decoder,
  type Fields,
} from './fields.ts';

/** Null if `kind` is none of config, log and trace, which the schema reports. */
export function decodeDataSection(decoder: Decoder, node: YamlMapping): DataSection | null {
  const fields = openFields(decoder, node, 'data', 'data');
  const kind = textField(fields, 'kind');
  if (kind !== 'config' && kind !== 'log' && kind !== 'trace') return null;
  return {
    kind,
    domain: formalField(fields, 'domain', 'domain'),
    required: fields.entry('required', 'list') ? listField(fields, 'required') : null,
    inputs: (mappingField(fields, 'inputs')?.entries ?? []).flatMap((entry) => decodeInput(decoder, entry) ?? []),
    span: spanOfNode(decoder, node),
  };
}

/** Null if the entry is not a mapping (the schema has reported it). */
function decodeInput(decoder: Decoder, { key, keyRange, value }: YamlEntry): DataInput | null {
  if (value.kind !== 'mapping') return null;
  const fields = openFields(decoder, value, 'dataInput', `data.inputs.${key}`);
  const mend = textField(fields, 'mend');
  return {
    name: key,
    nameSpan: { source: decoder.source, range: keyRange },
    from: textField(fields, 'from'),
    meaning: textField(fields, 'meaning'),
    fallback: formalField(fields, 'expression', 'default'),
    mend: mend === 'increase' || mend === 'decrease' || mend === 'any' ? mend : null,
  };
}

/** The data set of a falsification test; null if it has none. */
export function decodeControl(fields: Fields): Control | null {
  const node = mappingField(fields, 'data');
  if (!node) return null;
  const values = node.entries.flatMap(({ key, value }): [string, Located<ControlValue>][] => {
    const decoded = controlValue(value);
    return decoded === null ? [] : [[key, { value: decoded, span: spanOfNode(fields.decoder, value) }]];
  });
  return { values: new Map(values), violates: listField(fields, 'violates') };
}

function controlValue(node: YamlNode): ControlValue | null {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'mapping') return null;
  const numbers = node.items.flatMap((item) =>
    item.kind === 'scalar' && typeof item.value === 'number' ? [item.value] : [],
  );
  return numbers.length === node.items.length ? numbers : null;
}
