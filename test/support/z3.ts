import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { repositoryRoot } from './built.ts';

/** Bundles the module of Z3's process alone and says where it is: inside the tree, so that it finds Z3. */
export async function z3Entry(): Promise<URL> {
  const outfile = join(repositoryRoot, `node_modules/.cache/pv-z3-${process.pid}/z3.worker.mjs`);
  await build({
    entryPoints: [join(repositoryRoot, 'src/bounded-proofs/engines/smt/z3.worker.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: ['z3-solver'],
    logLevel: 'warning',
  });
  return pathToFileURL(outfile);
}
