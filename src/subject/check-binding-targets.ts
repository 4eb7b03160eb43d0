import { closest, quoted } from '../base/text.ts';
import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import type { BindingRow } from './binding.ts';

/** Reports rows for contracts or equations that do not exist. `equations` maps a contract's id to its equations' names. */
export function checkBindingTargets(
  rows: readonly BindingRow[],
  equations: ReadonlyMap<string, readonly string[]>,
): readonly Diagnostic[] {
  return rows.flatMap(({ contract, equation }) => {
    const names = equations.get(contract.value);
    if (names?.includes(equation.value)) return [];
    const near = names ? closest(equation.value, names) : closest(contract.value, [...equations.keys()]);
    const extras = near === null ? {} : { hint: `did you mean \`${near}\`?` };
    return names
      ? [diagnostic('PV-5002', equation.span, `${contract.value} has no equation ${quoted(equation.value)}`, extras)]
      : [diagnostic('PV-5001', contract.span, `there is no contract ${quoted(contract.value)}`, extras)];
  });
}
