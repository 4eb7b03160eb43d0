/** Cases of a statement that no number of digits decides, as the reason of its receipt states them. */

/** How many cases are open, of how many that were tried. */
export interface OpenCases {
  readonly open: number;
  readonly cases: number;
  /** Why the first of them is. */
  readonly why: string;
}

/** The reason of a receipt with open cases. */
export const openCasesText = ({ open, cases, why }: OpenCases): string => `${open} of ${cases} cases are open: ${why}`;

/** What such a reason states; null if it is another. */
export function openCasesIn(reason: string | null): OpenCases | null {
  const [, open, cases, why] = /^(\d+) of (\d+) cases are open: (.+)$/su.exec(reason ?? '') ?? [];
  return open === undefined || cases === undefined || why === undefined
    ? null
    : { open: Number(open), cases: Number(cases), why };
}
