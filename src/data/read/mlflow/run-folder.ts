/**
 * Folders of MLflow's file store: `mlruns/EXPERIMENT/RUN` with `meta.yaml`, `metrics/NAME` and `params/NAME`
 * (mlflow/store/tracking/file_store.py). A name with slashes is a path below its folder.
 */
import { diagnostic, type Diagnostic } from '../../../diagnostics/diagnostic.ts';
import type { DirectoryEntry, Host } from '../../../host/host.ts';
import type { Findings } from '../stream/findings.ts';

/** What a folder is to MLflow: `other` are models, which have a `meta.yaml` too. Null if it is nothing of MLflow's. */
type MlflowFolder = 'run' | 'deleted-run' | 'experiment' | 'other';

/** Folders of an experiment that are not runs. */
export const besideRuns: ReadonlySet<string> = new Set(['tags', 'datasets', 'traces', 'models']);

const runFolders = ['metrics', 'params', 'tags'];

/** Decided by `meta.yaml`, which MLflow writes into each of its folders. */
export async function mlflowFolder(
  host: Host,
  folder: string,
  entries: readonly DirectoryEntry[],
): Promise<MlflowFolder | null> {
  const has = (kind: DirectoryEntry['kind'], ...names: readonly string[]): boolean =>
    entries.some((one) => one.kind === kind && names.includes(one.name));
  // A copy may lack meta.yaml; no one else's folders have these three.
  if (!has('file', 'meta.yaml')) return runFolders.every((name) => has('directory', name)) ? 'run' : null;
  const meta = await host.readText(`${folder}/meta.yaml`, { maxBytes: 1024 * 1024 });
  const text = meta.ok ? meta.value : '';
  const says = (key: string): boolean => new RegExp(`^(?:${key}):`, 'm').test(text);
  if (says('run_id|run_uuid') && !says('model_id') && has('directory', 'metrics', 'params'))
    return /^lifecycle_stage: ['"]?deleted/m.test(text) ? 'deleted-run' : 'run';
  if (!says('lifecycle_stage|last_updated_timestamp|creation_timestamp')) return null;
  return says('experiment_id') && !says('model_id') ? 'experiment' : 'other';
}

/** Of metrics, and of parameters. A run that was cut into more is not one to be judged. */
const MAX_FILES = 10_000;
const MAX_DEPTH = 16;

/** One file of a run, by the name that MLflow shows for it. */
export interface NamedFile {
  /** `train/loss` */
  readonly name: string;
  readonly path: string;
}

/** The files below `metrics` or `params`, sorted by name. Links are not followed; there may be no such folder. */
export async function filesBelow(host: Host, folder: string, findings: Findings): Promise<readonly NamedFile[]> {
  const found: NamedFile[] = [];
  const visit = async (path: string, prefix: string, depth: number): Promise<void> => {
    const entries = await host.list(path);
    if (!entries.ok && entries.error.kind !== 'missing') findings.add(unlisted(path, entries.error.message));
    for (const { name, kind } of entries.ok ? entries.value : []) {
      if (found.length === MAX_FILES) return;
      if (kind === 'file') found.push({ name: `${prefix}${name}`, path: `${path}/${name}` });
      else if (kind === 'link') findings.add(unlisted(`${path}/${name}`, 'is a link, which is not followed'));
      else if (kind === 'directory' && depth < MAX_DEPTH)
        await visit(`${path}/${name}`, `${prefix}${name}/`, depth + 1);
    }
  };
  await visit(folder, '', 0);
  if (found.length === MAX_FILES)
    findings.add(unlisted(folder, `has ${MAX_FILES} files or more: the rest is not read`));
  return found;
}

function unlisted(path: string, message: string): Diagnostic {
  return diagnostic('PV-8002', null, `A part of this run ${message}`, { subject: path });
}
