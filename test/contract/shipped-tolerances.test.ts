/** Rules for the tolerances of the shipped contracts: what a correct float32 kernel of somebody else may do differently. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Contract, Obligation, Tolerance } from '../../src/contract/contract.ts';
import { readContracts } from '../../src/contract/validate.ts';
import { MIN_NORMAL_FLOAT32 } from '../../src/numeric/float.ts';

const folder = new URL('../../contracts/', import.meta.url);
const sources = readdirSync(folder)
  .filter((name) => name.endsWith('-kernel-v1.yaml'))
  .map((name) => ({ path: `contracts/${name}`, text: readFileSync(new URL(name, folder), 'utf8') }));
const shipped = readContracts(sources, { elsewhere: [] }).value;

/** Conversions are about every bit of subnormal numbers. */
const ofBits = ['bf16-conversion-kernel-v1', 'f16-conversion-kernel-v1'];

interface Rule {
  readonly contract: Pick<Contract, 'id'>;
  readonly claim: Obligation;
}
const aboutCode = (contracts: readonly Contract[]): readonly Rule[] =>
  contracts.flatMap((contract) =>
    contract.obligations
      .filter(({ semantics }) => semantics === null || semantics === 'ieee')
      .map((claim) => ({ contract, claim })),
  );

const formalOf = ({ formal }: Obligation): string => formal?.text ?? '';

/** Positive numbers below the least normal float32 in tolerance and formula: they demand gradual underflow. */
function subnormalParts({ contract, claim }: Rule): readonly string[] {
  if (ofBits.includes(contract.id) || /gradual underflow/i.test(claim.property)) return [];
  const tolerances = [claim.tolerance, ...claim.backendTolerances.values()];
  const parts = tolerances.flatMap((tolerance) => (tolerance?.abs ? [tolerance.abs] : []));
  const literals = [...formalOf(claim).matchAll(/(?<![\w.])\d[\d.]*e-\d+/g)].map(([text]) => Number(text));
  return [...parts, ...literals]
    .filter((part) => part > 0 && part < MIN_NORMAL_FLOAT32)
    .map((part) => `${claim.id}: ${part}`);
}

/**
 * Claims that two runs of a kernel give equal numbers, each with the reason why the runs add in one order: what an exact `=` of
 * another pair would demand of a vectorised kernel is not its equation.
 */
const sameOrder: Readonly<Record<string, string>> = {
  'AC-SYM-002': 'signs',
  'AL-INV-004': 'masked keys have weight 0',
  'AT-INV-003': 'masked keys have weight 0',
  'BA-INV-002': 'one addition',
  'CAB-INV-002': 'other queries only',
  'CAB-INV-003': 'masked keys have weight 0',
  'DO-BND-001': 'one number',
  'DO-INV-003': 'each number is computed alone',
  'EM-INV-001': 'copies',
  'FED-INV-002': 'shares are the same numbers',
  'GB-INV-001': 'one row, the others are 0',
  'KV-INV-001': 'what is not filled has weight 0',
  'KV-IDM-001': 'copies',
  'KV-INV-002': 'copies',
  'LO-INV-002': 'sums of zeros',
  'LOSS-SYM-001': 'signs',
  'PR-IDM-001': 'copies',
  'PR-SYM-001': 'signs',
  'Q4-IDM-001': 'codes',
  'Q6-IDM-001': 'codes',
  'QK-INV-001': 'powers of two',
  'QK-SYM-001': 'signs',
  'QZ-SYM-001': 'signs',
  'Q6-SND-001': 'whole numbers',
  'RS-SYM-001': 'one addition',
  'RG-EQV-003': 'the ring fixes the order',
  'RG-INV-001': 'copies',
  'RN-INV-002': 'signs',
  'SA-INV-001': 'indices',
  'SA-INV-003': 'indices',
  'SW-INV-002': 'masked keys have weight 0',
  'SW-INV-003': 'masked keys have weight 0',
};

const run = /(?<![\w∂])[A-Z][A-Za-z]*(?:_[a-zA-Zγβ]+)?\(/u;

/** Whether a conclusion of the claim equates two runs. */
function equatesRuns({ type, ...claim }: Obligation): boolean {
  if (type === 'determinism' || type === 'idempotency') return false;
  const [conclusion = ''] = (
    formalOf({ type, ...claim })
      .split('⟹')
      .at(-1) ?? ''
  ).split(' where ');
  return conclusion.split(/[∧∨]/u).some((part) => {
    const [left, right, ...more] = withoutArguments(part).split(' = ');
    if (left === undefined || right === undefined || more.length > 0) return false;
    return run.test(left) && run.test(right) && !/_ref\(|fl32|vjp|jvp/.test(part);
  });
}

/** `f(x = -x)_i = 0` as `f()_i = 0`: an equals sign within brackets names an argument. */
function withoutArguments(text: string): string {
  let depth = 0;
  return [...text]
    .filter((character) => {
      if (character === ')') depth--;
      const isShown = depth <= 0;
      if (character === '(') depth++;
      return isShown;
    })
    .join('');
}

const textOf = (tolerance: Tolerance | null): string =>
  tolerance === null ? 'exact' : JSON.stringify([tolerance.abs, tolerance.rel, tolerance.ulp, tolerance.cond]);

/** Claims of the form f(…) ≈ f_ref(…) by what is on the right: all of a contract that compare with one equation. */
function referenceTolerances(contract: Contract): ReadonlyMap<string, readonly string[]> {
  const byEquation = new Map<string, string[]>();
  for (const { claim } of aboutCode([contract])) {
    const [, left, right] = /^([A-Za-z_]+)\([^≈]*\)\S* ≈ ([A-Za-z_]+)_ref\([^≈]*\)[^≈]*$/u.exec(formalOf(claim)) ?? [];
    if (left === undefined || left !== right) continue;
    byEquation.set(left, [...(byEquation.get(left) ?? []), `${claim.id}: ${textOf(claim.tolerance)}`]);
  }
  return byEquation;
}

describe('tolerances of the shipped kernel contracts', () => {
  const rules = aboutCode(shipped);

  it('are read from every contract', () => {
    expect(rules.length).toBeGreaterThan(300);
  });

  it('leave room for kernels that flush subnormal numbers', () => {
    expect(rules.flatMap(subnormalParts)).toEqual([]);
  });

  it('are not 0 between runs that may add in another order', () => {
    const exact = rules.filter(({ claim }) => equatesRuns(claim)).map(({ claim }) => claim.id);
    expect(exact.filter((id) => !(id in sameOrder))).toEqual([]);
    expect(exact.length).toBeGreaterThan(10);
  });

  it('agree between the claims of one contract that compare with one equation', () => {
    const differ = shipped.flatMap((contract) =>
      [...referenceTolerances(contract).values()].filter(
        (claims) => new Set(claims.map((claim) => claim.slice(claim.indexOf(': ')))).size > 1,
      ),
    );
    expect(differ).toEqual([]);
  });
});

describe('the rules', () => {
  const claimOf = (formal: string, tolerance: string, property = 'A law'): readonly Rule[] => {
    const text = `metadata: { version: "1.0.0", description: d, references: [r] }
equations:
  total: { formula: "Total(x) = Σ_i x_i", domain: "x ∈ F32^n, 1 ≤ n ≤ 8, |x_i| ≤ 1" }
proof_obligations:
  - { id: T-EQV-001, type: equivalence, property: "${property}", formal: "${formal}", semantics: ieee${tolerance}, applies_to: total }
`;
    return aboutCode(readContracts([{ path: 'contracts/total-v1.yaml', text }], { elsewhere: [] }).value);
  };

  it('find a subnormal part, in the tolerance and in the formula', () => {
    expect(claimOf('Total(x) ≈ Total_ref(x)', ', tolerance: { cond: 8, abs: 1e-44 }').flatMap(subnormalParts)).toEqual([
      'T-EQV-001: 1e-44',
    ]);
    expect(claimOf('|Total(x)| ≤ n + 1e-42', '').flatMap(subnormalParts)).toEqual(['T-EQV-001: 1e-42']);
  });

  it('accept one in a claim of gradual underflow', () => {
    const claims = claimOf('Total(x) ≈ Total_ref(x)', ', tolerance: { cond: 8, abs: 1e-44 }', 'Gradual underflow');
    expect(claims.flatMap(subnormalParts)).toEqual([]);
  });

  it('find an exact equation between two runs', () => {
    expect(claimOf('Total(x) = Total(-x)', '').filter(({ claim }) => equatesRuns(claim))).toHaveLength(1);
    expect(claimOf('Total(x) = Total_ref(x)', '').filter(({ claim }) => equatesRuns(claim))).toEqual([]);
  });
});
