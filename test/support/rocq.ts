import { randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readContracts } from '../../src/contract/validate.ts';
import { elaborateAll } from '../../src/audit/elaborate-all.ts';
import { createNodeHost } from '../../src/host/node-host.ts';
import { runProgram, type ProgramEnd } from '../../src/host/program.ts';
import { checkProof, openWorkshop, type Checked, type Workshop } from '../../src/real-proofs/check-proof.ts';
import { exactGoal } from '../../src/real-proofs/exact-goal.ts';
import { statementOf, type Released, type Statement } from '../../src/real-proofs/statement.ts';
import { repositoryRoot } from './built.ts';
import { hasProgram } from './programs.ts';

/** Whether Rocq's compiler is here. */
export const hasRocq = hasProgram('coqc');

export const prelude = await readFile(join(repositoryRoot, 'templates/rocq/Pv.v'), 'utf8');

/** A folder of its own with the compiled prelude. */
export async function workshopFor(text: string = prelude, timeoutMs: number = 60_000): Promise<Workshop> {
  const folder = join(tmpdir(), `pv-rocq-${randomBytes(6).toString('hex')}`);
  const { signal } = new AbortController();
  const workshop = { host: createNodeHost(folder), run: runProgram, coqc: 'coqc', timeoutMs, signal, folder };
  const fault = await openWorkshop(workshop, text);
  if (fault !== null) throw new Error(fault);
  return workshop;
}

export const closeWorkshop = ({ folder }: Workshop): Promise<void> => rm(folder, { recursive: true, force: true });

export interface Claimed {
  readonly formal: string;
  readonly formula?: string;
  readonly domain?: string;
  readonly semantics?: string;
  readonly tolerance?: string;
  readonly requires?: readonly string[];
}

/** A contract of one equation `f` and one obligation `T-001`. */
export function contractOf({ formal, formula, domain, semantics, tolerance, requires }: Claimed): string {
  return [
    'metadata: { version: "1.0.0", description: d, references: ["r"] }',
    'equations:',
    '  f:',
    `    formula: ${JSON.stringify(formula ?? 'f(x)_i = 2·x_i')}`,
    `    domain: ${JSON.stringify(domain ?? 'x ∈ F32^n, 1 ≤ n ≤ 8, |x_i| ≤ 10')}`,
    'proof_obligations:',
    '  - id: T-001',
    '    type: invariant',
    '    property: p',
    `    formal: ${JSON.stringify(formal)}`,
    ...(requires ? [`    requires: ${JSON.stringify(requires)}`] : []),
    ...(semantics ? [`    semantics: ${semantics}`] : []),
    ...(tolerance ? [`    tolerance: ${tolerance}`] : []),
  ].join('\n');
}

const nothingReleased: Released = { unbounded: new Set(), above: new Set() };

/** The statement of a contract's only obligation, or why there is none. */
export function stated(claimed: Claimed, released: Released = nothingReleased): Statement | string {
  const { value } = readContracts([{ path: 't-kernel-v1.yaml', text: contractOf(claimed) }], { elsewhere: new Set() });
  const [contract] = value;
  const [obligation] = contract?.obligations ?? [];
  if (!contract || !obligation) throw new Error('the contract was not read');
  const byId = new Map(elaborateAll(value).map((one) => [one.contract.id, one]));
  const goal = exactGoal(contract, obligation, byId);
  if (!goal.ok) return goal.error.reason;
  const { statement, refusals } = statementOf({ goal: goal.value, released });
  return refusals[0]?.reason ?? statement;
}

/** What Rocq says of a script for a claim. */
export function checked(workshop: Workshop, name: string, claimed: Claimed, script: string): Promise<Checked> {
  const statement = stated(claimed);
  if (typeof statement === 'string') throw new Error(statement);
  return checkProof(workshop, name, statement, script);
}

/** How Rocq's compiler ends on a file of its own beside the prelude: exit code 0 and no output where it accepts it. */
export async function compiled(
  workshop: Workshop,
  name: string,
  text: string,
  timeoutMs = 60_000,
): Promise<ProgramEnd> {
  await workshop.host.writeFileAtomic(`${name}/Text.v`, text);
  return workshop.run({
    program: workshop.coqc,
    arguments: ['-q', '-R', '../prelude', 'PV', 'Text.v'],
    folder: join(workshop.folder, name),
    timeoutMs,
    memoryMb: 4_096,
    fileMb: 64,
  });
}
