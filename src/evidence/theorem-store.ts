/** The records of proofs over the reals, as files under `.pv/proofs`. */
import { diagnostic, type Staged } from '../diagnostics/diagnostic.ts';
import type { Host } from '../host/host.ts';
import { projectFiles } from '../host/project-files.ts';
import { theoremPath } from './store-path.ts';
import { readTheorem, writeTheorem, type TheoremRecord } from './theorem.ts';
import { distrust, splitSeal, withSeal, type Trust } from './trust.ts';

/** Where records of proofs are kept, and which of them count. */
export interface TheoremStore {
  readonly host: Host;
  readonly root: string;
  readonly trust: Trust;
}

/** The record of the last proof of `goal`; null if there is none, or none that can be trusted. */
export async function loadTheorem(
  { host, root, trust }: TheoremStore,
  goal: string,
): Promise<Staged<TheoremRecord | null>> {
  const path = theoremPath(goal);
  const text = await projectFiles(host, root).read(path);
  if (!text.ok) {
    const message = `stored evidence cannot be used: ${path} ${text.error.message}`;
    const diagnostics = text.error.kind === 'missing' ? [] : [diagnostic('PV-6007', null, message, { subject: path })];
    return { value: null, diagnostics };
  }
  const given = splitSeal(text.value);
  const theorem = readTheorem(given.body, path, goal);
  if (!theorem.ok) return { value: null, diagnostics: [theorem.error] };
  const problem = distrust(trust, path, given);
  return problem === null ? { value: theorem.value, diagnostics: [] } : { value: null, diagnostics: [problem] };
}

/** Durable when it returns. PV-6006 if the file cannot be written. */
export async function storeTheorem(
  { host, root, trust }: TheoremStore,
  theorem: TheoremRecord,
): Promise<Staged<boolean>> {
  const path = theoremPath(theorem.goal);
  const written = await projectFiles(host, root).write(path, withSeal(trust, writeTheorem(theorem)));
  if (written.ok) return { value: true, diagnostics: [] };
  const message = `the evidence of ${theorem.goal} could not be written: ${written.error.message}`;
  return { value: false, diagnostics: [diagnostic('PV-6006', null, message, { subject: path })] };
}
