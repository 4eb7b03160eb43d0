import { count } from '../../base/text.ts';
import { diagnostic } from '../../diagnostics/diagnostic.ts';
import type { ContractRule } from './rule.ts';

/** Levels and results come from evidence. What a file declares is shown next to it but does not count. */
export const declaredResult: ContractRule = {
  name: 'declared-result',
  check: (contract) => {
    const [first, ...rest] = contract.declarations;
    if (!first) return [];
    return [
      diagnostic(
        'PV-3020',
        first.span,
        `The file declares ${count(contract.declarations.length, 'result')} about itself (${first.value}); pv relies only on evidence`,
        {
          hint: 'Remove them, or compare them with what pv status prints.',
          related: rest.slice(0, 3).map((declaration) => ({ message: 'and this', span: declaration.span })),
        },
      ),
    ];
  },
};
