/**
 * What `pv scaffold`, `pv probar` and `pv generate` share: reading the project, generating files, writing them without losing an edit.
 */
import { join, resolve } from 'node:path';
import { count, visible } from '../base/text.ts';
import { decideWrite, type GeneratedFile, type WriteDecision } from '../codegen/generated-file.ts';
import { generateFiles, type GeneratedPart } from '../codegen/generate.ts';
import { loadTemplates } from '../codegen/render-template.ts';
import { diagnostic, type Diagnostic } from '../diagnostics/diagnostic.ts';
import { readProject } from '../audit/read-project.ts';
import type { FileProblem } from '../host/host.ts';
import { isUnder } from '../host/contained-path.ts';
import { pathFrom } from '../host/path-from.ts';
import { projectFiles, type ProjectFiles } from '../host/project-files.ts';
import { print, say, type Cli } from './cli.ts';
import { reproduceCommand } from '../api/command-line.ts';
import { findProject } from '../api/find-project.ts';
import { contractIdsBeside, readWithDependencies, shownPath } from '../api/project-files.ts';
import { orphanedFiles, removeEmptied, type OrphanRequest } from './orphaned-files.ts';
import { exitCodes, type ExitCode } from '../api/exit-code.ts';
import { sayDiagnostics } from './say-diagnostics.ts';

/** The parsed flags of the three commands; `seed` is written into generated tests. */
export type GenerateFlags = {
  readonly binding?: string;
  /** By default the folder `generated` in the project's root. */
  readonly out?: string;
  readonly check: boolean;
  readonly force: boolean;
  readonly seed: number;
  readonly quiet: boolean;
};

/** One run: which parts of which contracts are generated, and what happens to other files. */
export interface GenerateRun {
  readonly paths: readonly string[];
  readonly flags: GenerateFlags;
  readonly parts: readonly GeneratedPart[];
  /** Only tests of real kernels: without a binding there is nothing to do. */
  readonly needsBinding: boolean;
  /** Files that are no longer generated are removed, or with --check reported. */
  readonly removesOrphans?: boolean;
}

/** Generates and writes (or with --check compares) the files of every contract that the paths select. */
export async function runGenerate(
  cli: Cli,
  { paths, flags, parts, needsBinding, removesOrphans = false }: GenerateRun,
): Promise<ExitCode> {
  const read = await readWithDependencies(cli, paths);
  const asked = new Set(read.asked);
  sayDiagnostics(cli, read.unread);
  if (read.unread.length > 0) return exitCodes.usage;
  const found = await findProject(cli, { paths, named: flags.binding, inside: read.bindings });
  if (!found || (needsBinding && found.binding === null)) return exitCodes.usage;
  const { root, moduleRoots, binding } = found;
  const project = await readProject({
    contracts: read.contracts,
    binding,
    host: cli.host,
    moduleRoots,
    elsewhere: await contractIdsBeside(cli, [...read.paths, ...(binding ? [binding.path] : [])]),
  });
  const problems = [...read.findings, ...project.diagnostics].filter(({ severity }) => severity === 'error');
  sayDiagnostics(cli, problems);
  const render = await loadTemplates(cli.host, join(cli.packageRoot, 'templates'));
  // The output is the same wherever pv is started.
  const fromRoot = (path: string): string => pathFrom(root, resolve(cli.host.root, path));
  const out = flags.out ?? shownPath(cli, join(root, 'generated'));
  const files = project.elaborated
    // A contract over data has no implementation: pv check evaluates it.
    .filter(({ contract }) => asked.has(contract.path) && contract.dataSection === null)
    .flatMap((elaborated) => {
      const path = fromRoot(elaborated.contract.path);
      return generateFiles({
        elaborated,
        path,
        subjects: project.subjects,
        parts,
        folder: fromRoot(out),
        seed: flags.seed,
        reproduce: (goal) =>
          reproduceCommand(goal, { path, binding: binding && fromRoot(binding.path), seed: flags.seed }),
        render,
      });
    });
  // Outside the project, only a folder named on the command line may be written to.
  const folder = resolve(cli.host.root, out);
  const own = projectFiles(cli.host, isUnder(root, folder) ? root : folder);
  const written = await writeAll(cli, files, { ...flags, out, own });
  // A folder outside the project may hold the files of another.
  const left =
    removesOrphans && !fromRoot(out).startsWith('..')
      ? await removeOrphans(cli, own, flags, {
          out,
          root,
          contracts: new Set(
            project.elaborated.flatMap(({ contract }) => (asked.has(contract.path) ? [fromRoot(contract.path)] : [])),
          ),
          made: new Set(files.map(({ path }) => path)),
        })
      : exitCodes.ok;
  const code = written === exitCodes.ok ? left : written;
  return code === exitCodes.ok && problems.length > 0 ? exitCodes.findings : code;
}

async function removeOrphans(
  cli: Cli,
  own: ProjectFiles,
  { check, force, quiet }: Pick<GenerateFlags, 'check' | 'force' | 'quiet'>,
  request: OrphanRequest,
): Promise<ExitCode> {
  const problems: Diagnostic[] = [];
  for (const orphan of await orphanedFiles(cli.host, request)) {
    const { path, contract } = orphan;
    if (check || !(orphan.isUnedited || force)) {
      const why = check ? '' : ', and was changed by hand, so it is kept';
      problems.push(
        diagnostic('PV-7004', null, `${path} was made from ${contract}, which does not generate it any more${why}`, {
          subject: path,
          hint: check ? 'run pv generate and commit the result' : 'move the edit elsewhere, or remove it with --force',
        }),
      );
      continue;
    }
    const removed = await own.remove(resolve(cli.host.root, path));
    if (!removed.ok) {
      problems.push(unwritable(path, removed.error));
      continue;
    }
    if (!quiet) print(cli, `removed ${visible(path)}`);
    const emptied = await removeEmptied(cli.host, own, path, request.out);
    if (!emptied.ok) problems.push(unwritable(emptied.error.path, emptied.error));
  }
  sayDiagnostics(cli, problems);
  return problems.length > 0 ? exitCodes.findings : exitCodes.ok;
}

async function writeAll(
  cli: Cli,
  files: readonly GeneratedFile[],
  { out, own, check, force, quiet }: GenerateFlags & { readonly out: string; readonly own: ProjectFiles },
): Promise<ExitCode> {
  const counts = { create: 0, update: 0, unchanged: 0 };
  const problems: Diagnostic[] = [];
  let failed: Diagnostic | null = null;
  for (const file of files) {
    // If a folder refuses one file, it refuses all that follow.
    if (failed) break;
    const path = `${out}/${file.path}`;
    const absolute = resolve(cli.host.root, path);
    const existing = await own.read(absolute);
    if (!existing.ok && existing.error.kind !== 'missing') {
      failed = unwritable(path, existing.error);
      continue;
    }
    const decision = decideWrite(existing.ok ? existing.value : null, file.text);
    const kept = keptBack(path, decision, { check, force });
    if (kept) {
      problems.push(kept);
      continue;
    }
    const kind = decision.kind === 'create' || decision.kind === 'unchanged' ? decision.kind : 'update';
    if (kind !== 'unchanged') {
      const written = await own.write(absolute, file.text);
      if (!written.ok) failed = unwritable(path, written.error);
      else if (!quiet) print(cli, `${kind === 'create' ? 'wrote' : 'updated'} ${path}`);
    }
    counts[kind]++;
  }
  sayDiagnostics(cli, failed ? [...problems, failed] : problems);
  if (failed) return exitCodes.usage;
  if (!quiet)
    say(
      cli,
      `${count(files.length, 'file')}: ${counts.create} written, ${counts.update} updated, ${counts.unchanged} unchanged, ${problems.length} kept back`,
    );
  return problems.length > 0 ? exitCodes.findings : exitCodes.ok;
}

/** Why the file on disk stays as it is; null if it may be written. */
function keptBack(
  path: string,
  { kind }: WriteDecision,
  { check, force }: Pick<GenerateFlags, 'check' | 'force'>,
): Diagnostic | null {
  if (kind === 'unchanged') return null;
  if (check) {
    const message = kind === 'create' ? `${path} is missing` : `${path} is not what its contract generates`;
    return diagnostic('PV-7001', null, message, { subject: path, hint: 'run pv generate and commit the result' });
  }
  if (kind === 'create' || kind === 'update' || force) return null;
  const why = kind === 'hand-edited' ? 'was changed by hand after pv wrote it' : 'was not written by pv';
  return diagnostic('PV-7002', null, `${path} ${why}, so it is not overwritten`, {
    subject: path,
    hint: 'move the edit elsewhere, or overwrite it with --force',
  });
}

function unwritable(path: string, { message }: FileProblem): Diagnostic {
  return diagnostic('PV-7003', null, `${path} ${message}`, { subject: path });
}
