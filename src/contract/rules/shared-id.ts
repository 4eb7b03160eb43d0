import { diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Span } from '../../diagnostics/source.ts';
import type { SetRule } from './rule.ts';

/**
 * An id names one claim. pv files evidence under contract and id, so it cannot mix two up; people can.
 */
export const sharedId: SetRule = {
  name: 'shared-id',
  check: ({ contracts }) => {
    const owners = new Map<string, { readonly contract: string; readonly span: Span }>();
    return contracts.flatMap((contract) =>
      [...contract.obligations.filter((obligation) => obligation.idDeclared), ...contract.falsificationTests].flatMap(
        (element) => {
          const owner = owners.get(element.id);
          if (!owner) owners.set(element.id, { contract: contract.id, span: element.span });
          if (!owner || owner.contract === contract.id) return [];
          return [
            diagnostic('PV-3007', element.span, `The id ${element.id} is also used in ${owner.contract}`, {
              hint: 'Give one of the two another id.',
              related: [{ message: `in ${owner.contract}`, span: owner.span }],
            }),
          ];
        },
      ),
    );
  },
};
