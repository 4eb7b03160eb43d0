/** Modules with a line of what they import written otherwise: wrong implementations that nobody has to keep. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect } from 'vitest';

/** In `file`, `before`, which stands there once, is `after`. */
export interface Edit {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

let folder = '';
let built = 0;

/** To be called once in a test file: gives what bundles a module and all that it imports, with edits. */
export function editedModules(): <T>(module: string, edits: readonly Edit[]) => Promise<T> {
  beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'pv-edited-'))));
  afterAll(() => rm(folder, { recursive: true }));
  return async <T>(module: string, edits: readonly Edit[]) => {
    const texts = new Map<string, string>();
    for (const { file, before, after } of edits) {
      const text = texts.get(resolve(file)) ?? (await readFile(file, 'utf8'));
      expect(text.split(before), `${before} in ${file}`).toHaveLength(2);
      texts.set(
        resolve(file),
        text.replace(before, () => after),
      );
    }
    const { outputFiles } = await build({
      entryPoints: [module],
      bundle: true,
      platform: 'node',
      format: 'esm',
      write: false,
      plugins: [
        {
          name: 'edit',
          setup: (plugin) =>
            plugin.onLoad({ filter: /\.ts$/ }, ({ path }) => {
              const contents = texts.get(path);
              return contents === undefined ? null : { contents, loader: 'ts' };
            }),
        },
      ],
    });
    const outfile = join(folder, `${built++}.mjs`);
    await writeFile(outfile, outputFiles[0]?.text ?? '');
    const edited: T = await import(/* @vite-ignore */ pathToFileURL(outfile).href);
    return edited;
  };
}
