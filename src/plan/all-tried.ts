/** Claims of which every input of the domain was tried, as the reason of their receipt states it. */
import { count } from '../base/text.ts';

const tail = 'and that is all of the domain';

/** The reason of a receipt. */
export const allTriedText = (cases: number): string =>
  `its premise holds for none of ${count(cases, 'input')}, ${tail}`;

/** Whether a reason is such. */
export const isAllTried = (reason: string | null): boolean => reason?.endsWith(tail) === true;
