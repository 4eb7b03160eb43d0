import type { FalsificationTest, KaniHarness } from '../contract.ts';
import type { YamlMapping } from '../yaml/node.ts';
import { decodeControl } from './data-section.ts';
import {
  formalField,
  listField,
  locatedField,
  mappingField,
  numberField,
  openFields,
  spanOfNode,
  textField,
  type Decoder,
} from './fields.ts';
import { semanticsOf } from './semantics.ts';
import { decodeTolerances } from './tolerance.ts';

/** One falsification test (`obligation` is more exact than `rule`, which upstream writes in words), in pv's words or upstream's newer ones (description, expected, command, fails_if). */
export function decodeFalsificationTest(
  decoder: Decoder,
  node: YamlMapping,
  path: string,
  position: number,
): FalsificationTest {
  const fields = openFields(decoder, node, 'falsificationTest', path);
  const rule = locatedField(fields, 'obligation', 'rule', 'description');
  const inUlp = /\bulps?\b/i.test(rule?.value ?? '');
  const tolerances = decodeTolerances(
    decoder,
    fields.entry('tolerance', 'tolerance')?.value ?? null,
    `${path}.tolerance`,
    inUlp,
  );
  return {
    id: textField(fields, 'id') ?? `FALSIFY-${position}`,
    rule,
    prediction: formalField(fields, 'proposition', 'prediction', 'expected'),
    given: formalField(fields, 'domain', 'given'),
    control: decodeControl(fields),
    tolerance: tolerances.common,
    backendTolerances: tolerances.backends,
    libraryTolerance: tolerances.library,
    semantics: semanticsOf(textField(fields, 'semantics')),
    test: textField(fields, 'test', 'command'),
    ifFails: textField(fields, 'if_fails', 'fails_if'),
    span: spanOfNode(decoder, node),
  };
}

/** The schema has reported anything that is not an integer. */
function sizesOf(mapping: YamlMapping | null): KaniHarness['sizes'] {
  const entries = mapping?.entries ?? [];
  return Object.fromEntries(
    entries.flatMap(({ key, value }): [string, number | readonly number[]][] => {
      if (value.kind === 'scalar') return typeof value.value === 'number' ? [[key, value.value]] : [];
      if (value.kind !== 'sequence') return [];
      const listed = value.items.flatMap((item) =>
        item.kind === 'scalar' && typeof item.value === 'number' ? [item.value] : [],
      );
      return listed.length > 0 ? [[key, [...new Set(listed)].toSorted((a, b) => a - b)]] : [];
    }),
  );
}

/** A harness without an id is named by its position: `KANI-1`. */
export function decodeKaniHarness(decoder: Decoder, node: YamlMapping, path: string, position: number): KaniHarness {
  const fields = openFields(decoder, node, 'kaniHarness', path);
  return {
    id: textField(fields, 'id') ?? `KANI-${position}`,
    obligation: locatedField(fields, 'obligation'),
    property: textField(fields, 'property', 'description'),
    bound: numberField(fields, 'bound'),
    sizes: sizesOf(mappingField(fields, 'sizes')),
    strategy: textField(fields, 'strategy'),
    assumes: listField(fields, 'assumes'),
    solver: textField(fields, 'solver'),
    harness: textField(fields, 'harness'),
    span: spanOfNode(decoder, node),
  };
}
