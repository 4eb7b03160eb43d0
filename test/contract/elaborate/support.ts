import { elaborateContract } from '../../../src/contract/elaborate.ts';
import { elaborateEquationFromText } from '../../../src/contract/elaborate/equations/from-text.ts';
import { readContract } from '../../../src/contract/read.ts';
import type { ElaboratedContract, EquationModel, Goal } from '../../../src/contract/goal.ts';
import type { Diagnostic } from '../../../src/diagnostics/diagnostic.ts';
import { evaluateTerm, type Binding, type Evaluated } from '../../../src/math/evaluate/interpret.ts';

/** A matrix or vector as the interpreter takes it. */
export function tensor(...rows: readonly (readonly number[])[]): Binding {
  return { shape: [rows.length, rows[0]?.length ?? 0], data: rows.flat() };
}

export function vector(...data: readonly number[]): Binding {
  return { shape: [data.length], data };
}

/** The equation, which must elaborate. */
export function model(formula: string, domain: string, codomain?: string): EquationModel {
  const result = elaborateEquationFromText({ formula, domain, ...(codomain === undefined ? {} : { codomain }) });
  if (!result.model) throw new Error(`${result.problem?.code}: ${result.problem?.message}`);
  return result.model;
}

/** The numbers that the equation computes in float64. */
export function evaluate(equation: EquationModel, values: Readonly<Record<string, Binding>>): readonly number[] {
  return numbers(evaluateTerm(equation.body, new Map(Object.entries(values))));
}

export function numbers(value: Evaluated<number>): readonly number[] {
  if (typeof value === 'number') return [value];
  if (typeof value === 'object') return value.data.map(Number);
  return [Number(value)];
}

const indent = (text: string): string =>
  text
    .trim()
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');

/** A contract with the given equations and claims (YAML), elaborated. */
export function elaborated(
  parts: {
    readonly equations: string;
    readonly obligations?: string;
    readonly tests?: string;
    readonly dependsOn?: readonly string[];
    readonly path?: string;
  },
  others: ReadonlyMap<string, ElaboratedContract> = new Map(),
): ElaboratedContract {
  const text = [
    'metadata:',
    '  version: "1.0.0"',
    '  description: a contract of the tests',
    ...(parts.dependsOn ? [`  depends_on: [${parts.dependsOn.join(', ')}]`] : []),
    'equations:',
    indent(parts.equations),
    ...(parts.obligations ? ['proof_obligations:', indent(parts.obligations)] : []),
    ...(parts.tests ? ['falsification_tests:', indent(parts.tests)] : []),
  ].join('\n');
  const read = readContract({ path: parts.path ?? 'softmax-kernel-v1.yaml', text });
  if (!read.value) throw new Error('the contract is not readable');
  return elaborateContract(read.value, others);
}

export const softmax = `
softmax:
  formula: "σ(x)_i = exp(x_i - max(x)) / Σ_j exp(x_j - max(x))"
  domain: "x ∈ F32^n, 1 ≤ n ≤ 512, |x_i| ≤ 1e4"
  codomain: "σ(x) ∈ F32^n"`;

/** One obligation over softmax, elaborated. */
export function claim(formal: string, rest = ''): ElaboratedContract {
  return elaborated({
    equations: softmax,
    obligations: `- { id: C, type: invariant, property: p, formal: "${formal}"${rest} }`,
  });
}

export function goal(contract: ElaboratedContract): Goal {
  const [only] = contract.goals;
  if (!only) throw new Error(contract.notGoals.map((n) => n.reason).join('; '));
  return only;
}

/** The text that a diagnostic points at. */
export function marked(diagnostic: Diagnostic): string {
  return diagnostic.span
    ? diagnostic.span.source.text.slice(diagnostic.span.range.start, diagnostic.span.range.end)
    : '';
}
