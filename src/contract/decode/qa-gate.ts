import type { EquivalentMutant, QaGate } from '../contract.ts';
import type { YamlMapping } from '../yaml/node.ts';
import { listField, locatedField, mappingsOf, openFields, spanOfNode, textField, type Decoder } from './fields.ts';

/** The gate in either of upstream's dialects: `checks` with `pass_criteria`, or `required_tests` with thresholds. */
export function decodeQaGate(decoder: Decoder, node: YamlMapping): QaGate {
  const fields = openFields(decoder, node, 'qaGate', 'qa_gate');
  const equivalent = mappingsOf(
    fields.entry('equivalent_mutants', 'list')?.value ?? null,
    'qa_gate.equivalent_mutants',
  );
  return {
    id: textField(fields, 'id'),
    name: textField(fields, 'name'),
    description: textField(fields, 'description'),
    passCriteria: locatedField(fields, 'pass_criteria'),
    checks: [...listField(fields, 'checks'), ...listField(fields, 'required_tests')],
    mutants: listField(fields, 'mutants'),
    equivalentMutants: equivalent.flatMap((item) => decodeEquivalentMutant(decoder, item.node, item.path) ?? []),
    span: spanOfNode(decoder, node),
  };
}

/** Null without a reason: a mutant is never silently excused (the schema has reported it). */
function decodeEquivalentMutant(decoder: Decoder, node: YamlMapping, path: string): EquivalentMutant | null {
  const fields = openFields(decoder, node, 'equivalentMutant', path);
  const mutant = textField(fields, 'mutant');
  const reason = textField(fields, 'reason');
  if (mutant === null || reason === null || reason.trim() === '') return null;
  return { mutant, equation: textField(fields, 'equation'), reason, span: spanOfNode(decoder, node) };
}
