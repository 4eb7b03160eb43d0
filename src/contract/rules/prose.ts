import { diagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import { formalFields, spanWithin, type FormalField, type FormalRole } from '../formal-fields.ts';
import type { ContractRule } from './rule.ts';

/** Fields that decide what is executed; prose in the others loses nothing but a remark. */
const decisive: ReadonlySet<FormalRole> = new Set<FormalRole>([
  'formula',
  'domain',
  'formal',
  'requires',
  'prediction',
  'given',
  'per',
]);

/** Formal fields are mathematics from end to end. What is not is shown and never counted as evidence. */
export const prose: ContractRule = {
  name: 'prose',
  check: (contract) => formalFields(contract).flatMap((field) => judge(field) ?? []),
};

function judge(field: FormalField): Diagnostic | null {
  const { notation } = field.text;
  if (notation.status === 'math') return null;
  const range = notation.problem?.range ?? { start: 0, end: notation.text.length };
  const what = `The ${field.role} of ${field.owner}`;
  const message =
    notation.status === 'prose'
      ? `${what} is prose: it is shown and never counts as evidence`
      : `${what} is mathematics only up to here: it does not count as evidence`;
  return diagnostic(
    'PV-3015',
    spanWithin(field.text, { start: range.start, end: Math.max(range.end, range.start + 1) }),
    message,
    {
      severity: decisive.has(field.role) ? 'warning' : 'note',
      hint: `${notation.problem ? `Here: ${notation.problem.message}. ` : ''}docs/notation.md says what can be written.`,
    },
  );
}
