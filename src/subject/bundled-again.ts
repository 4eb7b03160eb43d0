import { resolve } from 'node:path';
import { sha256 } from '../evidence/digest.ts';
import type { Host } from '../host/host.ts';
import type { BoundSubject } from './bound-subject.ts';
import { bundleFunction } from './function-program.ts';
import { homeOf } from './open-module.ts';

/**
 * Whether every plain function of `subjects` is unchanged, with all files and packages that it imports: the bundler reads
 * them without going through the host, and only bundling again shows which ones it would read today.
 */
export async function isBundledAsBefore(
  host: Host,
  roots: readonly string[],
  subjects: readonly BoundSubject[],
): Promise<boolean> {
  const homes = roots.map((folder) => ({ root: resolve(host.root, folder) }));
  const same = subjects.map(async ({ name, module, program, row }) => {
    if (program.language !== 'function') return true;
    const { root } = await homeOf(host, homes, row.modulePath?.value ?? module);
    const path = resolve(root, module);
    const text = await host.readText(path);
    if (!text.ok) return false;
    const { value } = await bundleFunction({ path: module, text: text.value }, name, root, path);
    return value !== null && sha256(value) === program.sourceHash;
  });
  return (await Promise.all(same)).every(Boolean);
}
