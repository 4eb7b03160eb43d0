/** The records of proofs over the reals, as files under `.pv/proofs`. */
import { diagnostic, type Staged } from '../diagnostics/diagnostic.ts';
import { containedPath } from '../host/contained-path.ts';
import type { Host } from '../host/host.ts';
import { theoremPath } from './store-path.ts';
import { readTheorem, writeTheorem, type TheoremRecord } from './theorem.ts';

/** The record of the last proof of `goal`; null when there is none, or none that can be trusted. */
export async function loadTheorem(host: Host, root: string, goal: string): Promise<Staged<TheoremRecord | null>> {
  const path = theoremPath(goal);
  const place = await containedPath(host, root, path);
  const text = place.ok ? await host.readText(place.value) : place;
  if (!text.ok) {
    const message = `stored evidence cannot be used: ${path} ${text.error.message}`;
    const diagnostics = text.error.kind === 'missing' ? [] : [diagnostic('PV-6007', null, message, { subject: path })];
    return { value: null, diagnostics };
  }
  const theorem = readTheorem(text.value, path, goal);
  return theorem.ok ? { value: theorem.value, diagnostics: [] } : { value: null, diagnostics: [theorem.error] };
}

/** Durable when it returns. PV-6006 when the file cannot be written. */
export async function storeTheorem(host: Host, root: string, theorem: TheoremRecord): Promise<Staged<boolean>> {
  const path = theoremPath(theorem.goal);
  const place = await containedPath(host, root, path);
  const written = place.ok ? await host.writeFileAtomic(place.value, writeTheorem(theorem)) : place;
  if (written.ok) return { value: true, diagnostics: [] };
  const message = `the evidence of ${theorem.goal} could not be written: ${written.error.message}`;
  return { value: false, diagnostics: [diagnostic('PV-6006', null, message, { subject: path })] };
}
