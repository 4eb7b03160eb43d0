/**
 * Line numbers for the preconditions in a reason. Receipts do not contain them, because evidence survives edits that move lines.
 */
import type { ElaboratedContract, Goal } from '../contract/goal.ts';
import { positionAt } from '../diagnostics/source.ts';
import { preconditionText } from '../methods/runs/broken-preconditions.ts';

/** The reason with "line 12" after each precondition, with its file if that is not the contract's own. */
export function withPlaces(
  reason: string,
  { domain }: Pick<Goal, 'domain'>,
  { contract, preconditions }: Pick<ElaboratedContract, 'contract' | 'preconditions'>,
): string {
  return domain.preconditions.reduce((text, precondition) => {
    const span = preconditions.get(precondition);
    if (!span) return text;
    const { line } = positionAt(span.source, span.range.start);
    const place = span.source.path === contract.path ? `line ${line}` : `${span.source.path}:${line}`;
    const shown = preconditionText(precondition);
    return text.replace(`${shown} (`, () => `${shown} (${place}; `);
  }, reason);
}
