import { positionAt, type Span } from '../../diagnostics/source.ts';
import type { AdoptedStatement } from '../../report/adopt/adoption.ts';

/** The file and the line of a place in a contract. */
export function placeOf({ source, range }: Span): Pick<AdoptedStatement, 'file' | 'line'> {
  return { file: source.path, line: positionAt(source, range.start).line };
}
