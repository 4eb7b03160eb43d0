/** The files of runs that paths on the command line denote. */
import { diagnostic, type Diagnostic, type Staged } from '../../diagnostics/diagnostic.ts';
import type { Host } from '../../host/host.ts';
import { besideRuns, mlflowFolder } from '../../data/read/mlflow/run-folder.ts';
import { unreadable } from '../find-files.ts';

/** The extensions that are searched for in folders; a file given by name is read whatever its extension. */
const endings = /(\.(ya?ml|json|jsonl|ndjson|toml|csv|tsv|log|txt)(\.gz)?|tfevents[^/]*)$/i;
/** Deeper folders are not collections of runs. */
const maxDepth = 16;

/**
 * Given files as they are, folders recursively, sorted, without hidden files and node_modules. The folder of an MLflow run is one
 * of them, with all that is in it; one that was deleted there counts only if it is given itself. `as` is the user's format.
 */
export async function findDataFiles(
  host: Host,
  paths: readonly string[],
  as?: string,
): Promise<Staged<readonly string[]>> {
  const found = new Map<string, string>();
  const diagnostics: Diagnostic[] = [];
  const add = async (path: string): Promise<void> => {
    const real = await host.realPath(path);
    if (!real.ok) diagnostics.push(unreadable(real.error));
    else if (!found.has(real.value)) found.set(real.value, path);
  };
  const addFolder = async (folder: string, depth: number): Promise<void> => {
    const entries = await host.list(folder);
    if (!entries.ok) {
      diagnostics.push(unreadable(entries.error));
      return;
    }
    const ofMlflow = await mlflowFolder(host, folder, entries.value);
    if (ofMlflow === 'run' || (ofMlflow === 'deleted-run' && depth === 0)) return add(folder);
    if (ofMlflow === 'deleted-run' || ofMlflow === 'other') return;
    const isExperiment = ofMlflow === 'experiment';
    for (const { name, kind } of entries.value) {
      const path = `${folder}/${name}`;
      if (name.startsWith('.') || name === 'node_modules') continue;
      if (isExperiment && (kind === 'file' || besideRuns.has(name))) continue;
      if (kind === 'directory' && depth < maxDepth) await addFolder(path, depth + 1);
      else if (kind === 'file' && endings.test(name)) await add(path);
    }
  };
  for (const path of paths) {
    if ((await host.kindOf(path)) !== 'directory') {
      await add(path);
      continue;
    }
    const before = found.size;
    const folder = path.replace(/(?!^)\/+$/, '');
    if (as === 'mlflow') await add(folder);
    else await addFolder(folder, 0);
    if (found.size === before) diagnostics.push(empty(path));
  }
  return { value: [...found.values()], diagnostics };
}

function empty(path: string): Diagnostic {
  return diagnostic('PV-8004', null, `'${path}' holds no config, log or trace`, {
    subject: path,
    hint: 'name the file itself if it has an unusual ending',
  });
}
