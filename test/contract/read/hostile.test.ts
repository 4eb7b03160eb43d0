import { describe, expect, it } from 'vitest';
import { FINDINGS_PER_FILE, readContracts } from '../../../src/contract/validate.ts';

const metadata = 'metadata: { version: "1", description: d }\n';
const list = (n: number, line: (i: number) => string): string => Array.from({ length: n }, (_, i) => line(i)).join('');
const claim = (formal: string): string =>
  `${metadata}proof_obligations:\n  - { type: bound, property: p, formal: "${formal}" }\n`;

// The bounds are generous: they tell linear from quadratic on a busy machine, and a crash or a hang from both.
describe.each([
  ['nested parentheses', claim(`${'('.repeat(9000)}x${')'.repeat(9000)} = 1`)],
  ['a long sum', claim(`${'1+'.repeat(9000)}1 = 2`)],
  ['towers of powers', claim('9^9^9^9^9^9 = 2 ∧ 9^999^3 = 2 ∧ 200!^200 = 1 ∧ 1e999999 = 1 ∧ 10^1000/3 = 1')],
  [
    'obligations by the thousand',
    `${metadata}proof_obligations:\n${list(3000, () => '  - { type: bound, property: some property, formal: "f(x) ≈ f(x)" }\n')}`,
  ],
  [
    'dependencies by the thousand',
    `metadata: { version: "1", description: d, depends_on: [${list(5000, (i) => `a${i}, `)}] }\n`,
  ],
  [
    'dangling references by the thousand',
    `${metadata}proof_obligations:\n${list(1000, (i) => `  - { id: A-${i}, type: bound, property: p }\n`)}kani_harnesses:\n${list(1000, (i) => `  - { id: K-${i}, obligation: Z-${i} }\n`)}`,
  ],
  [
    'equations by the thousand',
    `${metadata}equations:\n${list(2000, (i) => `  e${i}: { formula: "f(x) = x" }\n`)}proof_obligations:\n${list(2000, (i) => `  - { type: bound, property: p, applies_to: q${i} }\n`)}`,
  ],
  ['unknown keys by the thousand', `${metadata}${list(20_000, (i) => `zz${i}: 1\n`)}`],
  [
    'counts by the thousand',
    `${metadata}qa_gate: { id: 1, pass_criteria: "${'7 falsification tests '.repeat(5000)}" }\n`,
  ],
  [
    'bounds by the thousand',
    `${metadata}equations:\n  a: { formula: "f(x) = x", domain: "${list(1500, (i) => `n${i % 7} ≥ ${i}, `)}m ≥ 1" }\n`,
  ],
])('%s', (_, text) => {
  it('ends soon with bounded findings', () => {
    const { diagnostics } = readContracts([{ path: 'a.yaml', text }]);
    expect(diagnostics.length).toBeLessThanOrEqual(FINDINGS_PER_FILE + 1);
  });
});
