/**
 * Every generated file of a contract, as values; writing them is somebody else's business.
 */
import { posix } from 'node:path';
import type { ElaboratedContract, Goal } from '../contract/goal.ts';
import type { BoundSubject } from '../subject/bound-subject.ts';
import { withHeader, type GeneratedFile } from './generated-file.ts';
import { goalFileName, goalView } from './goal-view.ts';
import { interfaceView } from './interface-view.ts';
import type { Render } from './render-template.ts';
import { testView } from './test-view.ts';

/** `interface`: types and docs; `tests`: goals and their tests. */
export type GeneratedPart = 'interface' | 'tests';

export interface GenerateRequest {
  readonly elaborated: ElaboratedContract;
  readonly subjects: readonly BoundSubject[];
  readonly parts: readonly GeneratedPart[];
  /** The output folder relative to the project root, with `/`. */
  readonly folder: string;
  readonly seed: number;
  readonly reproduce: (goal: Goal) => string;
  readonly render: Render;
}

/** Files of one contract under `<contract id>/`, sorted by path; the same bytes for the same request. */
export function generateFiles(request: GenerateRequest): readonly GeneratedFile[] {
  const { elaborated, parts, render } = request;
  const { contract } = elaborated;
  const header = {
    contract: contract.path,
    digest: contract.digests.get('') ?? '',
    command: `pv generate ${contract.path}`,
  };
  const file = (name: string, body: string): GeneratedFile => ({
    path: `${contract.id}/${name}`,
    text: withHeader(tidy(body), header),
  });
  const files: GeneratedFile[] = [];
  // Tests import the interface, so it comes with both parts.
  files.push(file('interface.ts', render('interface', interfaceView(elaborated))));
  if (parts.includes('tests')) {
    for (const goal of elaborated.goals)
      files.push(file(`goals/${goalFileName(goal.claim)}.ts`, render('goal', goalView(goal))));
    files.push(
      file('property.test.ts', tests(request, 'obligation')),
      file('falsification.test.ts', tests(request, 'falsification')),
    );
  }
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function tests(request: GenerateRequest, source: 'obligation' | 'falsification'): string {
  const from = `${request.folder}/${request.elaborated.contract.id}`;
  return request.render(
    'property-test',
    testView({ ...request, source, importPath: (module) => importPath(from, module) }),
  );
}

/** With `.js`, which every module resolution of TypeScript and every test runner maps to the `.ts` file. */
function importPath(from: string, module: string): string {
  const relative = posix.relative(from, module).replace(/\.([cm]?)tsx?$/u, '.$1js');
  return relative.startsWith('.') ? relative : `./${relative}`;
}

/** Templates leave trailing spaces where a value is empty. */
function tidy(body: string): string {
  return `${body.replace(/[ \t]+$/gmu, '').trimEnd()}\n`;
}
