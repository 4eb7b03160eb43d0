import { closest } from '../../base/text.ts';
import { diagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Contract, Located } from '../contract.ts';
import type { ContractSet, SetRule } from './rule.ts';

/** What `caused_by` lists must exist: a cause that cannot be checked explains nothing. */
export const danglingCause: SetRule = {
  name: 'dangling-cause',
  check: (set) =>
    set.contracts.flatMap((contract) =>
      contract.obligations.flatMap(({ diagnosis }) =>
        (diagnosis?.causedBy ?? []).flatMap((cause) => problemOf(set, contract, cause) ?? []),
      ),
    ),
};

function problemOf({ contracts, elsewhere }: ContractSet, own: Contract, cause: Located<string>): Diagnostic | null {
  const [first = '', second] = cause.value.split('/', 2);
  if (second === undefined && has(own, first)) return null;
  const contract = contracts.find(({ id }) => id === first);
  // A contract that was not read may well have the obligation.
  if (!contract && elsewhere.has(first)) return null;
  if (contract && (second === undefined || has(contract, second))) return null;
  const near = closest(cause.value, namesIn(contracts, own));
  return diagnostic('PV-3023', cause.span, `There is no obligation or contract '${cause.value}'`, {
    hint: near === null ? 'Write the id of an obligation, or contract/id.' : `Did you mean '${near}'?`,
  });
}

const has = ({ obligations }: Contract, wanted: string): boolean => obligations.some(({ id }) => id === wanted);

function namesIn(contracts: readonly Contract[], own: Contract): readonly string[] {
  return [
    ...own.obligations.map(({ id }) => id),
    ...contracts.flatMap(({ id, obligations }) => [id, ...obligations.map((one) => `${id}/${one.id}`)]),
  ];
}
