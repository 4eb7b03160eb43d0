import { count as counted } from '../../base/text.ts';
import type { Term } from '../../math/term/term.ts';
import { partsOf } from '../../math/term/traverse.ts';
import type { Environment } from './environment.ts';

/**
 * What a term reads behind the last row of its columns by a row number written in the claim, such as `loss_7` of two rows; null if
 * nothing. There is no value to judge it by, and NaN would satisfy `loss_7 ≠ 2`. The cases of a distinction are not looked into,
 * since its condition may be what guards them.
 */
export function readsBeyondRows(term: Term, environment: Environment): string | null {
  if (term.kind === 'element' && term.tensor.kind === 'variable') {
    const { name } = term.tensor;
    const [row] = term.indices;
    const columns = [...environment.columns.values()].find(({ values }) => values.has(name));
    if (columns !== undefined && row?.kind === 'number' && Number(row.value) >= columns.count)
      return `${name}_${row.value} is beyond the last of ${counted(columns.count, 'row')}`;
  }
  const parts = term.kind === 'if' ? [term.condition] : partsOf(term);
  for (const part of parts) {
    const found = readsBeyondRows(part, environment);
    if (found !== null) return found;
  }
  return null;
}
