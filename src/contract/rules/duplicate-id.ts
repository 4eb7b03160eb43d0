import { diagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Span } from '../../diagnostics/source.ts';
import type { ContractRule } from './rule.ts';

/** Within a contract, obligations, tests and harnesses have ids of their own: evidence is filed under them. */
export const duplicateId: ContractRule = {
  name: 'duplicate-id',
  check: (contract) => [
    ...repeated(
      contract.obligations.filter((obligation) => obligation.idDeclared),
      'obligation',
    ),
    ...repeated(contract.falsificationTests, 'falsification test'),
    ...repeated(contract.kaniHarnesses, 'harness'),
  ],
};

function repeated(
  elements: readonly { readonly id: string; readonly span: Span }[],
  what: string,
): readonly Diagnostic[] {
  const first = new Map<string, Span>();
  return elements.flatMap((element) => {
    const earlier = first.get(element.id);
    if (!earlier) {
      first.set(element.id, element.span);
      return [];
    }
    return [
      diagnostic('PV-3006', element.span, `A second ${what} has the id ${element.id}`, {
        hint: 'Give it its own id.',
        related: [{ message: 'the first', span: earlier }],
      }),
    ];
  });
}
