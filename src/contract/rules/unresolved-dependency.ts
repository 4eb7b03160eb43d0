import { closest } from '../../base/text.ts';
import { diagnostic } from '../../diagnostics/diagnostic.ts';
import type { SetRule } from './rule.ts';

/** Every name in `metadata.depends_on` is a contract: verdicts are bounded by those of dependencies, so none may be missing. */
export const unresolvedDependency: SetRule = {
  name: 'unresolved-dependency',
  check: ({ contracts, elsewhere }) => {
    const known = new Set([...elsewhere, ...contracts.map((contract) => contract.id)]);
    return contracts.flatMap((contract) =>
      contract.dependsOn
        .filter((dependency) => !known.has(dependency.value))
        .map((dependency) => {
          const near = closest(dependency.value, known);
          return diagnostic('PV-3001', dependency.span, `There is no contract '${dependency.value}'`, {
            hint:
              near === null
                ? 'Add its file to the contracts that are read, or remove the dependency.'
                : `Did you mean '${near}'?`,
          });
        }),
    );
  },
};
