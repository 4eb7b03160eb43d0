/** Every generated file of a contract, as values; writing them is someone else's business. */
import { posix } from 'node:path';
import { present } from '../base/invariant.ts';
import type { ElaboratedContract, Goal } from '../contract/goal.ts';
import type { BoundSubject } from '../subject/bound-subject.ts';
import { withHeader, type GeneratedFile } from './generated-file.ts';
import { goalFileNames, goalView } from './goal-view.ts';
import { interfaceView } from './interface-view.ts';
import type { Render } from './render-template.ts';
import { kernelFileNames, kernelTextsView } from './kernel-view.ts';
import { testedSubjects, testView } from './test-view.ts';

/** `interface`: types and docs; `tests`: goals and their tests. */
export type GeneratedPart = 'interface' | 'tests';

/** One contract, its kernels, and which of its files to generate. */
export interface GenerateRequest {
  readonly elaborated: ElaboratedContract;
  /** The contract's file relative to the project root, with `/`. */
  readonly path: string;
  readonly subjects: readonly BoundSubject[];
  readonly parts: readonly GeneratedPart[];
  /** The output folder relative to the project root, with `/`: where generated tests import kernels from. */
  readonly folder: string;
  readonly seed: number;
  readonly reproduce: (goal: Goal) => string;
  readonly render: Render;
}

/** Files of one contract under `<contract id>/`, sorted by path; the same bytes for the same request. */
export function generateFiles(request: GenerateRequest): readonly GeneratedFile[] {
  const { elaborated, parts, render, path } = request;
  const { contract } = elaborated;
  const header = {
    contract: path,
    digest: present(contract.digests.get(''), 'a contract has a digest of the whole'),
    command: `pv generate ${path}`,
  };
  const file = (name: string, body: string): GeneratedFile => ({
    path: `${contract.id}/${name}`,
    text: withHeader(tidy(body), header),
  });
  // Tests import the interface, so it comes with both parts.
  const files = [file('interface.ts', render('interface', interfaceView(elaborated)))];
  if (parts.includes('tests')) {
    for (const [goal, name] of goalFileNames(elaborated.goals))
      files.push(file(`goals/${name}.ts`, render('goal', goalView(goal))));
    for (const [subject, name] of kernelFileNames(testedSubjects(request))) {
      const view = kernelTextsView(subject);
      if (view) files.push(file(`${name}.ts`, render('kernel', view)));
    }
    for (const [name, source] of testFiles) {
      const view = testView({ ...request, source, importPath: importsFrom(`${request.folder}/${contract.id}`) });
      if (view) files.push(file(name, render('property-test', view)));
    }
  }
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

const testFiles = [
  ['property.test.ts', 'obligation'],
  ['falsification.test.ts', 'falsification'],
] as const;

/** With `.js`, which every module resolution of TypeScript and every test runner maps to the `.ts` file. */
function importsFrom(folder: string): (module: string) => string {
  return (module) => {
    const relative = posix.relative(folder, module).replace(/\.([cm]?)tsx?$/u, '.$1js');
    return relative.startsWith('.') ? relative : `./${relative}`;
  };
}

/** Templates leave trailing spaces where a value is empty. */
function tidy(body: string): string {
  return `${body.replace(/[ \t]+$/gmu, '').trimEnd()}\n`;
}
