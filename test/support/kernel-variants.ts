/**
 * Runs the claims of a shipped contract with another kernel in place of its own.
 */
import { functionBackend } from '../../src/backends/function-kernel.ts';
import { fileURLToPath } from 'node:url';
import { invariant } from '../../src/base/invariant.ts';
import type { ElaboratedContract, Goal } from '../../src/contract/goal.ts';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { isGreen } from '../../src/evidence/verdict.ts';
import { createNodeHost } from '../../src/host/node-host.ts';
import { loadGoal } from '../../src/math/compile/load.ts';
import { runFalsify } from '../../src/methods/falsify.ts';
import type { PropertyOutcome } from '../../src/methods/runs/outcome.ts';
import { runProperty } from '../../src/methods/property.ts';
import { subjectsOf } from '../../src/plan/make-plan.ts';
import { openKernels } from '../../src/plan/open-subjects.ts';
import type { BindingRow } from '../../src/subject/binding.ts';
import type { BoundSubject } from '../../src/subject/bound-subject.ts';
import { resolveBindings } from '../../src/subject/resolve.ts';
import { shippedProject } from './shipped-goals.ts';

/** A function that stands in for the kernel of an equation. */
export interface KernelVariant {
  /** The contract's id and the equation: `softmax-kernel-v1/softmax`. */
  readonly equation: string;
  /** Relative to the repository. */
  readonly module: string;
  readonly functionName: string;
  /** What it is called with, when that is not the equation's parameters and then its sizes. */
  readonly arguments?: readonly string[];
  /** Cases per property. */
  readonly cases: number;
  /** Null of a right kernel. */
  readonly wrong: string | null;
}

type Project = Awaited<ReturnType<typeof shippedProject>>;

/** The shipped contracts, and the variants as kernels of theirs. */
export interface VariantProject extends Project {
  readonly variants: ReadonlyMap<KernelVariant, BoundSubject>;
  /** Of the variants alone. */
  readonly refused: readonly Diagnostic[];
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Resolves all variants at once: TypeScript reads the project a single time. */
export async function variantProject(variants: readonly KernelVariant[]): Promise<VariantProject> {
  const project = await shippedProject(root);
  const models = new Map(project.elaborated.map(({ contract, equations }) => [contract.id, equations]));
  const rows = variants.map((variant) => rowOf(variant, project));
  const resolved = await resolveBindings(rows, models, createNodeHost(root), { roots: [root] });
  const subjects = new Map(resolved.value.map((subject) => [subject.row, subject]));
  return {
    ...project,
    refused: resolved.diagnostics.filter(({ severity }) => severity === 'error'),
    variants: new Map(
      variants.flatMap((variant, i) => {
        const row = rows[i];
        const subject = row && subjects.get(row);
        return subject ? [[variant, subject]] : [];
      }),
    ),
  };
}

/** The shipped row of the equation, for the function of the variant. */
function rowOf(variant: KernelVariant, { subjects }: Project): BindingRow {
  const row = subjects.find(({ contract, equation }) => `${contract}/${equation}` === variant.equation)?.row;
  invariant(row?.modulePath && row.functionName, `${variant.equation} has a shipped kernel`);
  const located = (value: string): { value: string; span: BindingRow['span'] } => ({ value, span: row.span });
  return {
    ...row,
    modulePath: located(variant.module),
    functionName: located(variant.functionName),
    signature: null,
    arguments: variant.arguments?.map(located) ?? null,
  };
}

/** What the claims of its contract say of a variant. */
export interface VariantFinding {
  readonly ran: readonly string[];
  /** Claims that are broken, and how. */
  readonly falsified: readonly string[];
  /** Claims that say neither, and why. */
  readonly open: readonly string[];
}

/**
 * Runs the claims about single runs of the variant's equation. Those of a wrong kernel run up to the first that breaks: which others do
 * is not asked.
 */
export async function judgeVariant(project: VariantProject, variant: KernelVariant): Promise<VariantFinding> {
  const { contract, goals } = claimsAbout(project, variant);
  const ran: string[] = [];
  const falsified: string[] = [];
  const open: string[] = [];
  for (const goal of goals) {
    if (variant.wrong !== null && falsified.length > 0) break;
    const { verdict, reason, counterexample } = await runClaim(project, variant, contract, goal);
    ran.push(goal.claim);
    if (verdict === 'falsified')
      falsified.push(`${goal.claim}: ${counterexample?.explanation} at ${JSON.stringify(counterexample?.input)}`);
    else if (!isGreen(verdict)) open.push(`${goal.claim}: ${verdict}, ${reason}`);
  }
  return { ran, falsified, open };
}

/** Falsification tests first: they are the cheapest. */
function claimsAbout(
  { elaborated }: VariantProject,
  variant: KernelVariant,
): { readonly contract: ElaboratedContract; readonly goals: readonly Goal[] } {
  const [id, equation = ''] = variant.equation.split('/');
  const contract = elaborated.find((one) => one.contract.id === id);
  invariant(contract, `${id} is shipped`);
  const goals = contract.goals
    .filter((goal) => goal.equations.includes(equation) && !goal.overReals && !goal.statistical)
    .map((goal) => goal.onBackends['ref32'] ?? goal);
  const tests = goals.filter(({ source }) => source === 'falsification');
  return { contract, goals: [...tests, ...goals.filter((goal) => !tests.includes(goal))] };
}

async function runClaim(
  { elaborated, subjects, variants }: VariantProject,
  variant: KernelVariant,
  contract: ElaboratedContract,
  goal: Goal,
): Promise<PropertyOutcome> {
  const own = variants.get(variant);
  invariant(own, `${variant.functionName} is resolved`);
  const shipped = subjectsOf(goal, contract, { contracts: elaborated, subjects });
  const replaced = shipped.map((subject) =>
    subject.bound?.contract === own.contract && subject.bound.equation === own.equation
      ? { ...subject, bound: own }
      : subject,
  );
  const opened = await openKernels(replaced, { backend: 'ref32' }, functionBackend);
  invariant(opened.ok, opened.ok ? '' : opened.reason);
  const { kernels, toCall, close } = opened.value;
  const request = { goal, compiled: await loadGoal(goal), kernels, toCall, seed: 1, shrinkBudget: null };
  const outcome =
    goal.source === 'falsification'
      ? await runFalsify(request)
      : await runProperty({ ...request, cases: variant.cases });
  await close();
  return outcome;
}

/** What of a finding contradicts what the variant is said to be, with how to see it; null when nothing does. */
export function contradiction(variant: KernelVariant, { ran, falsified, open }: VariantFinding): string | null {
  const told = [...falsified, ...open];
  const name = `${variant.functionName} (${variant.module}) as ${variant.equation}`;
  if (ran.length === 0) return `${name}: no claim runs it`;
  if (variant.wrong === null)
    return told.length === 0
      ? null
      : `${name} is right, and these claims do not hold of it:\n  ${told.join('\n  ')}\n${howToSee(variant)}`;
  if (falsified.length > 0) return null;
  return `${name} is wrong (${variant.wrong}), and none of ${ran.join(', ')} says so\n${howToSee(variant)}`;
}

function howToSee({ equation, module, functionName }: KernelVariant): string {
  const [contract = ''] = equation.split('/');
  return `to see it, name ${module} and ${functionName} in the row of ${equation} in contracts/binding.yaml, then pv audit contracts/${contract}.yaml`;
}
