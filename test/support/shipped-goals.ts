/**
 * Every claim of the shipped contracts about kernels, with the kernels that it runs, as pv reads them.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readProject } from '../../src/audit/read-project.ts';
import type { AccuracyClass } from '../../src/contract/accuracy.ts';
import type { Goal } from '../../src/contract/goal.ts';
import { readContracts } from '../../src/contract/validate.ts';
import { createNodeHost } from '../../src/host/node-host.ts';
import type { ProofSubject } from '../../src/bounded-proofs/instantiate/instance-request.ts';

export interface ShippedGoal {
  readonly goal: Goal;
  /** What its applications run; `bound` is null where no kernel is. */
  readonly subjects: readonly ProofSubject[];
}

const here = fileURLToPath(new URL('../..', import.meta.url));

const known = new Map<string, ReturnType<typeof readProject>>();

/** The shipped contracts, elaborated, with their kernels: read once for all test files of a worker, since it takes ten seconds. */
export function shippedProject(root: string = here, accuracy?: AccuracyClass): ReturnType<typeof readProject> {
  const key = `${root} ${accuracy ?? ''}`;
  const project = known.get(key) ?? readShipped(root, accuracy);
  known.set(key, project);
  return project;
}

async function readShipped(root: string, accuracy?: AccuracyClass): ReturnType<typeof readProject> {
  const files = readdirSync(`${root}/contracts`).filter((name) => name.endsWith('-v1.yaml'));
  const sources = files.map((name) => ({
    path: `contracts/${name}`,
    text: readFileSync(`${root}/contracts/${name}`, 'utf8'),
  }));
  const { value: contracts } = readContracts(sources, { elsewhere: [] });
  return readProject({
    contracts,
    binding: { path: 'contracts/binding.yaml', text: readFileSync(`${root}/contracts/binding.yaml`, 'utf8') },
    host: createNodeHost(root),
    moduleRoots: [root],
    elsewhere: new Set(),
    accuracy,
  });
}

export async function shippedGoals(root: string = here): Promise<readonly ShippedGoal[]> {
  const { elaborated, subjects } = await shippedProject(root);
  return elaborated.flatMap(({ contract, goals }) =>
    goals.map((goal): ShippedGoal => ({
      goal,
      subjects: goal.applications.flatMap(({ equation }) => {
        const cut = equation.indexOf('/');
        const id = cut < 0 ? contract.id : equation.slice(0, cut);
        const name = equation.slice(cut + 1);
        const home = elaborated.find((one) => one.contract.id === id);
        const model =
          home?.equations.find((one) => one.name === name) ??
          goal.overReals?.equations.find((one) => one.name === equation)?.model;
        if (!model) return [];
        const bound = subjects.find((subject) => subject.contract === id && subject.equation === name) ?? null;
        return [{ equation, model, bound: goal.overReals ? null : bound }];
      }),
    })),
  );
}
