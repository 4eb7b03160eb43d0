/** Kernels, or formulas in their place, in claims: what they are given, and what they give for each run. */
import { describe, expect, it } from 'vitest';
import { instantiate } from '../../../src/bounded-proofs/instantiate/instantiate.ts';
import type { ProofSubject } from '../../../src/bounded-proofs/instantiate/instance-request.ts';
import type { Reading } from '../../../src/bounded-proofs/problem.ts';
import { readArgument } from '../../../src/subject/argument-expression.ts';
import { elaborated, goal } from '../../contract/elaborate/support.ts';
import { kernelFromText } from '../../support/kernels.ts';
import { print } from '../notation.ts';

type Bound = NonNullable<ProofSubject['bound']>;
type Argument = Bound['arguments'][number];

interface Case {
  readonly domain: string;
  readonly formal: string;
  readonly formula?: string;
  readonly codomain?: string;
  readonly requires?: string;
  readonly sizes?: readonly number[];
  readonly reading?: Reading;
}

async function program(parameters: string, body: string): Promise<Bound['program']> {
  return kernelFromText(`export function kernel(this: { thread: { x: number } }, ${parameters}): number {\n${body}\n}`);
}

function claimText(
  { domain, formal, formula = 'f(x) = x', codomain = 'f(x) ∈ ℝ', requires, sizes = [], reading = 'float32' }: Case,
  bound: Bound | null,
): string {
  const rest = requires === undefined ? '' : `, requires: ["${requires}"]`;
  const contract = elaborated({
    equations: `f:\n  formula: "${formula}"\n  domain: "${domain}"\n  codomain: "${codomain}"`,
    obligations: `- { id: C, type: invariant, property: p, formal: "${formal}"${rest} }`,
  });
  const subjects = contract.equations.map((model) => ({ equation: model.name, model, bound }));
  const made = instantiate({ goal: goal(contract), subjects, sizes, reading });
  return made.ok ? print(made.value.problem.conclusion) : `refused: ${made.error.message}`;
}

const first: Argument = { kind: 'parameter', index: 0 };

describe('a kernel is given', () => {
  it.each<readonly [domain: string, claim: string]>([
    ['x ∈ F32', 'x ≤ 1'],
    ['x ∈ F16', 'x ≤ 1'],
    ['x ∈ F64', 'fl(x) ≤ 1'],
    ['x ∈ ℤ, 0 ≤ x ≤ 9', 'x ≤ 1'],
    ['x ∈ ℤ, -16777216 ≤ x ≤ 16777216', 'x ≤ 1'],
    ['x ∈ ℤ, -16777217 ≤ x ≤ 9', 'fl(x) ≤ 1'],
    ['x ∈ ℤ, 0 ≤ x ≤ 16777217', 'fl(x) ≤ 1'],
    ['x ∈ ℤ', 'fl(x) ≤ 1'],
    ['x ∈ ℝ', 'x ≤ 1'],
  ])('each number of %s as a float32: %s', async (domain, claim) => {
    const bound = { program: await program('x: number', 'return x;'), arguments: [first], output: null };
    expect(claimText({ domain, formal: 'f(x) ≤ 1' }, bound)).toBe(claim);
  });

  it.each([
    ['f(-x) ≤ 1', '−x ≤ 1'],
    ['f(|x|) ≤ 1', '|x| ≤ 1'],
    ['f(max(x, 0)) ≤ 1', 'fl(max(x, 0)) ≤ 1'],
    ['f(max(x, -x)) ≤ 1', 'max(x, −x) ≤ 1'],
    ['f({ x if x > 0; -x otherwise }) ≤ 1', '(0 < x ? x : −x) ≤ 1'],
    ['f(x/3) ≤ 1', 'fl(x / 3) ≤ 1'],
    ['f(f(x)) ≤ 1', 'x ≤ 1'],
  ])('what a claim computes as a float32: %s', async (formal, claim) => {
    const bound = { program: await program('x: number', 'return x;'), arguments: [first], output: null };
    expect(claimText({ domain: 'x ∈ F32', formal }, bound)).toBe(claim);
  });

  it('exact numbers over the reals', async () => {
    const bound = { program: await program('x: number', 'return x / 3;'), arguments: [first], output: null };
    expect(claimText({ domain: 'x ∈ F32', formal: 'f(x/3) ≤ 1', reading: 'real' }, bound)).toBe('x / 3 / 3 ≤ 1');
  });

  it('sizes, and what the binding computes', async () => {
    const vectors: Case = {
      domain: 'x ∈ F32^n, 1 ≤ n ≤ 4',
      formula: 'f(x)_i = x_i',
      codomain: 'f(x) ∈ F32^n',
      formal: 'f(x)_i ≤ 1',
      sizes: [2],
    };
    const read = readArgument('n·2', new Set(['n']));
    if (!read.ok) throw new Error(read.message);
    const given: readonly Argument[] = [
      first,
      { kind: 'size', index: 0 },
      { kind: 'expression', expression: read.expression },
    ];
    const code = await program('x: number[], n: number, m: number', 'return x[this.thread.x] + n * m;');
    expect(claimText(vectors, { program: code, arguments: given, output: null })).toBe(
      'fl(x[0] + 8) ≤ 1 ∧ fl(x[1] + 8) ≤ 1',
    );
  });
});

describe('runs', () => {
  const rows: Case = {
    domain: 'x ∈ F32^n, 1 ≤ n ≤ 4',
    formula: 'f(x)_i = x_i + x_0',
    codomain: 'f(x) ∈ F32^n',
    formal: 'f(A_k)_i ≤ 1',
    requires: 'A ∈ F32^{m×n}, 1 ≤ m ≤ 4, 1 ≤ n ≤ 4',
    sizes: [2, 2],
  };

  it('are one for each row, by the formula', () => {
    expect(claimText(rows, null)).toBe(
      'A[0,0] + A[0,0] ≤ 1 ∧ A[0,1] + A[0,0] ≤ 1 ∧ A[1,0] + A[1,0] ≤ 1 ∧ A[1,1] + A[1,0] ≤ 1',
    );
  });

  it('are one for each row, of the kernel', async () => {
    const code = await program('x: number[]', 'return x[this.thread.x] * 3;');
    expect(claimText(rows, { program: code, arguments: [first], output: null })).toBe(
      'fl(A[0,0] · 3) ≤ 1 ∧ fl(A[0,1] · 3) ≤ 1 ∧ fl(A[1,0] · 3) ≤ 1 ∧ fl(A[1,1] · 3) ≤ 1',
    );
  });
});

it('what the code cannot be followed through is reported with its line', async () => {
  const code = await program('x: number', 'const y = x;\nreturn Math.atan2(y, 2);');
  expect(
    claimText({ domain: 'x ∈ F32', formal: 'f(x) ≤ 1' }, { program: code, arguments: [first], output: null }),
  ).toBe('refused: kernel, line 3: Math.atan2 has no model in proofs');
});
