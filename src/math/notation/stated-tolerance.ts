/** `within 1e-6`, `to within 1e-6`, `(tolerance: 1e-6)` after a claim: how far its sides may differ. */
const stated =
  /^\(?(?:(?:to\s+)?within(?:\s*±)?|(?:abs(?:olute)?\s+)?tol(?:erance)?\s*(?:[=:]|of)?)\s*(\d[\d.]*(?:e[-+]?\d+)?)\)?\.?$/iu;

/** The number that `text` states as a tolerance; null if it is anything else. */
export function statedTolerance(text: string): number | null {
  const number = Number(stated.exec(text.trim().replaceAll('−', '-'))?.[1] ?? Number.NaN);
  return Number.isFinite(number) ? number : null;
}
