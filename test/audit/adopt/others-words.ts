import { adopted } from './adopted.ts';

/**
 * What pv adopt says of each of `claims`, a formula or one with its tolerance, of a contract with these equations (YAML). Of one that runs
 * only in part, whether it held or broke as far as it is understood; null of one that does not run.
 */
export async function findings(
  equations: string,
  claims: readonly (string | readonly [formal: string, tolerance: number])[],
): Promise<readonly (string | null)[]> {
  const obligations = claims.map((claim, i) => {
    const [formal, tolerance] = typeof claim === 'string' ? [claim, null] : claim;
    const more = tolerance === null ? '' : `, tolerance: ${String(tolerance)}`;
    return `  - { id: C-${String(i)}, type: invariant, property: p, formal: ${JSON.stringify(formal)}${more} }`;
  });
  const indented = equations
    .trim()
    .split('\n')
    .map((line) => `  ${line}`);
  const yaml = ['equations:', ...indented, 'proof_obligations:', ...obligations].join('\n');
  const { judged } = await adopted({ 'a-v1': `metadata: { version: 1.0.0, description: d }\n${yaml}\n` });
  return claims.map((_, i) => {
    const found = judged.find(({ claim }) => claim === `C-${String(i)}`);
    if (!found || found.word === 'held' || found.word === 'false') return found?.word ?? null;
    return found.asRead === undefined ? null : (`${found.asRead} in part` as const);
  });
}
