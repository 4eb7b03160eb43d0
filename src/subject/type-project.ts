/**
 * The user's modules as their own TypeScript configuration sees them. Only `resolve` and `codegen` load ts-morph.
 */
import { dirname, join } from 'node:path';
import type { Project, SourceFile as MorphFile } from 'ts-morph';
import { err, ok, type Result } from '../base/result.ts';
import type { Host } from '../host/host.ts';
import { loadMorph } from './typescript.ts';

/** One TypeScript project for each `tsconfig.json`, opened when it is first needed. */
export interface TypeProjects {
  /** The module at an absolute path, with the text that pv read; an error when its configuration cannot be read. */
  readonly moduleAt: (path: string, text: string) => Promise<Result<MorphFile, ConfigurationProblem>>;
}

/** Why a `tsconfig.json` cannot be used. */
export interface ConfigurationProblem {
  /** The absolute path of the `tsconfig.json`. */
  readonly path: string;
  readonly message: string;
}

/**
 * Which of TypeScript's own declarations a project sees where its configuration names no `lib`: those of browsers too, as the compiler
 * has it, or those of the language alone, which are parsed in a third of the time.
 */
export type Libraries = 'all' | 'language';

/** Opens projects as modules need them: one per `tsconfig.json`, which is the nearest above the module and inside `root`. */
export function typeProjects(host: Host, root: string, libraries: Libraries = 'all'): TypeProjects {
  const projects = new Map<string, Result<Project, ConfigurationProblem>>();
  const moduleAt: TypeProjects['moduleAt'] = async (path, text) => {
    const configuration = await nearestConfiguration(host, root, dirname(path));
    const key = configuration ?? '';
    const project = projects.get(key) ?? openProject(configuration, libraries);
    projects.set(key, project);
    if (!project.ok) return project;
    return ok(project.value.getSourceFile(path) ?? project.value.createSourceFile(path, text, { overwrite: true }));
  };
  return { moduleAt };
}

async function nearestConfiguration(host: Host, root: string, directory: string): Promise<string | null> {
  const path = join(directory, 'tsconfig.json');
  if ((await host.kindOf(path)) === 'file') return path;
  return directory === root || directory === dirname(directory)
    ? null
    : nearestConfiguration(host, root, dirname(directory));
}

function openProject(tsConfigFilePath: string | null, libraries: Libraries): Result<Project, ConfigurationProblem> {
  const { Project, ts } = loadMorph();
  // Declarations of packages are not pv's business, and unused names are not errors of type.
  const always = { noEmit: true, skipLibCheck: true, noUnusedLocals: false, noUnusedParameters: false };
  if (tsConfigFilePath === null) {
    const module = { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext };
    const plain = { strict: true, target: ts.ScriptTarget.ES2023, allowImportingTsExtensions: true, ...module };
    return ok(limitedTo(libraries, new Project({ compilerOptions: { ...plain, ...always } })));
  }
  try {
    const project = new Project({ tsConfigFilePath, skipAddingFilesFromTsConfig: true, compilerOptions: always });
    return ok(limitedTo(libraries, project));
  } catch (problem) {
    // ts-morph reports a configuration that it cannot read by throwing.
    return err({ path: tsConfigFilePath, message: problem instanceof Error ? problem.message : String(problem) });
  }
}

function limitedTo(libraries: Libraries, project: Project): Project {
  const { lib, noLib } = project.getCompilerOptions();
  if (libraries === 'language' && lib === undefined && !noLib)
    project.compilerOptions.set({ lib: ['lib.esnext.d.ts'] });
  return project;
}
