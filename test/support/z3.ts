import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { bundleOptions, root } from '../../scripts/bundle.mjs';

/** Bundles the module of Z3's process alone, as the build does, and says where it is: inside the tree, so that it finds Z3. */
export async function z3Entry(): Promise<URL> {
  const folder = join(root, `node_modules/.cache/pv-z3-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  await build({ ...bundleOptions(folder, { 'z3.worker': 'src/proof/engines/smt/z3.worker.ts' }), metafile: false });
  return pathToFileURL(join(folder, 'z3.worker.js'));
}
