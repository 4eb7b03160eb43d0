/** Runs saving-child.ts as a process of its own, which kills itself at one of its operations. */
import { build } from 'esbuild';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProcess } from '../../support/built.ts';

/** Builds the child below `scratch`; what it returns runs it: `operation` −1 for a child that ends by itself. */
export async function buildSavingChild(scratch: string) {
  const outfile = join(scratch, 'child.mjs');
  await build({
    entryPoints: [fileURLToPath(new URL('saving-child.ts', import.meta.url))],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'error',
  });
  return (folder: string, saves: number, operation: number) =>
    runProcess(process.execPath, [outfile, folder, String(saves), String(operation)]);
}
