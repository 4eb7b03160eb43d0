/**
 * The pages of the 4xxx codes: the wrong example causes the finding, the mended one does not.
 *
 * Holds src/contract/elaborate.ts, src/contract/elaborate/equations/executed-parts.ts, src/contract/elaborate/equations/further-sides.ts,
 * src/contract/elaborate/claims/goal-of.ts, src/contract/elaborate/domains/open-cases.ts, src/contract/elaborate/claims/statistics.ts,
 * src/contract/elaborate/inputs/structures.ts, src/contract/goal.ts, src/contract/tolerances.ts.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { elaborateContract } from '../../../src/contract/elaborate.ts';
import { readContract } from '../../../src/contract/read.ts';
import { codes, type Code } from '../../../src/diagnostics/codes.ts';

const ours = Object.keys(codes).filter((code): code is Code => code.startsWith('PV-40'));
const page = (code: Code): string => readFileSync(`docs/codes/${code}.md`, 'utf8');

function findings(text: string): readonly string[] {
  const { value } = readContract({ path: 'example.yaml', text });
  if (!value) throw new Error('the example is not readable');
  return elaborateContract(value, new Map()).diagnostics.map((d) => d.code);
}

describe.each(ours)('%s', (code) => {
  const [wrong, ...mended] = [...page(code).matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? '');
  it('starts with its title', () => expect(page(code).split('\n')[0]).toBe(`# ${code}: ${codes[code].title}`));
  it('is caused by its wrong example', () => expect(findings(wrong ?? '')).toContain(code));
  it('is gone from the mended one', () => {
    expect(mended).not.toEqual([]);
    for (const text of mended)
      expect(findings(text).filter((found) => codes[found as Code].severity === 'error' || found === code)).toEqual([]);
  });
});
