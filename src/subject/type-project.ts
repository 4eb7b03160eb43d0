/**
 * The user's modules as their own TypeScript configuration sees them. Only `resolve` and `codegen` load ts-morph.
 */
import { dirname, join } from 'node:path';
import type { Project, SourceFile as MorphFile } from 'ts-morph';
import type { Host } from '../host/host.ts';

export interface TypeProjects {
  /** The module at an absolute path, with the text that pv read. */
  readonly moduleAt: (path: string, text: string) => Promise<MorphFile>;
}

/** Opens projects as modules need them: one per `tsconfig.json`, which is the nearest above the module and inside `root`. */
export function typeProjects(host: Host, root: string): TypeProjects {
  const projects = new Map<string, Project>();
  const moduleAt = async (path: string, text: string): Promise<MorphFile> => {
    const configuration = await nearestConfiguration(host, root, dirname(path));
    const key = configuration ?? '';
    const project = projects.get(key) ?? (await openProject(configuration));
    projects.set(key, project);
    return project.getSourceFile(path) ?? project.createSourceFile(path, text, { overwrite: true });
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

async function openProject(tsConfigFilePath: string | null): Promise<Project> {
  const { Project, ts } = await import('ts-morph');
  const plain = {
    strict: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    allowImportingTsExtensions: true,
  };
  // Declarations of packages are not pv's business, and unused names are not errors of type.
  const always = { noEmit: true, skipLibCheck: true, noUnusedLocals: false, noUnusedParameters: false };
  if (tsConfigFilePath === null) return new Project({ compilerOptions: { ...plain, ...always } });
  return new Project({ tsConfigFilePath, skipAddingFilesFromTsConfig: true, compilerOptions: always });
}
