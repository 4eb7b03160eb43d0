/** A kernel that no claim runs may compute anything: the binding that names it is reported. */
import { expect, it } from 'vitest';
import { elaborateAll } from '../../src/audit/elaborate-all.ts';
import { unclaimedKernels } from '../../src/audit/unclaimed-kernels.ts';
import { makePlan } from '../../src/plan/make-plan.ts';
import { contractOf, planOptions, subjectOf } from '../plan/projects.ts';

const domain = 'domain: "x ∈ F32^n, 1 ≤ n ≤ 8, |x_i| ≤ 100"';
const contract = (
  claims: readonly string[],
  more = '',
): string => `metadata: { version: "1.0.0", description: Two${more} }
equations:
  twice: { formula: "T(x)_i = 2·x_i", ${domain} }
  half: { formula: "H(x)_i = x_i / 2", ${domain} }
proof_obligations:
${claims.map((formal, i) => `  - { id: C${i}, type: bound, property: p, formal: "${formal}" }\n`).join('')}`;
const ofOther = (formal: string): string => `metadata: { version: "1.0.0", description: Other, depends_on: [two-v1] }
equations:
  id: { formula: "I(x)_i = x_i", ${domain} }
proof_obligations:
  - { id: O, type: bound, property: p, formal: "${formal}" }
`;

/** The equations of the bound kernels that are reported, as the message names them. */
async function reported(texts: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const elaborated = elaborateAll(Object.entries(texts).map(([id, text]) => contractOf(id, text)));
  const text = 'export function kernel(this: any, x: number[]): number { return x[this.thread.x]; }';
  const subjects = await Promise.all(
    ['twice', 'half'].map((equation) => subjectOf(elaborated, { contract: 'two-v1', equation, text })),
  );
  return unclaimedKernels(makePlan(elaborated, subjects, planOptions), subjects).map(
    ({ code, message, span }) => `${code} ${message} ${span?.source.path}`,
  );
}

const half = "PV-6011 no claim runs 'kernel', the kernel of two-v1/half binding.yaml";

it.each<[string, readonly string[], readonly string[]]>([
  ['no claim runs one', ['|T(x)_i| ≤ 200'], [half]],
  ['claims run both', ['|T(x)_i| ≤ 200', '|H(x)_i| ≤ 50'], []],
  ['a claim cannot be read, which is what is to be mended', ['|T(x)_i| ≤ 200', '|H(x)_i| ≤ unknown'], []],
  ['a claim is in words, which run nothing', ['|T(x)_i| ≤ 200', 'it halves every entry'], [half]],
])('where %s', async (_, claims, expected) => {
  expect(await reported({ 'two-v1': contract(claims) })).toEqual(expected);
});

it('where a claim of another contract runs it', async () => {
  const two = contract(['|T(x)_i| ≤ 200']);
  const other = 'I(half(x))_i = half(x)_i';
  expect(await reported({ 'two-v1': two, 'other-v1': ofOther('I(x)_i = x_i') })).toEqual([half]);
  expect(await reported({ 'two-v1': two, 'other-v1': ofOther(other) })).toEqual([]);
});
