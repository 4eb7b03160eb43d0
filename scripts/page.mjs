// The page that checks traces and proofs in a browser: one HTML file, and the same code as a module for other pages.
import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from './bundle.mjs';

/** @type {(entry: string, format: 'iife' | 'esm') => Promise<string>} */
async function bundled(entry, format) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    platform: 'browser',
    format,
    target: 'es2022',
    minify: true,
    legalComments: 'none',
    charset: 'ascii',
    write: false,
    logLevel: 'warning',
  });
  return outputFiles[0]?.text ?? '';
}

/**
 * What a module exports, for TypeScript: its functions with their comments. The library itself is compiled without the
 * types of the DOM.
 */
async function declarations(path) {
  const exported = [...(await readFile(path, 'utf8')).matchAll(/^(\/\*\*.*\*\/\n)?export (function .*) \{$/gm)];
  if (exported.length === 0) throw new Error(`${path} exports no function`);
  return exported.map(([, comment = '', signature]) => `${comment}export declare ${signature};\n`).join('');
}

/** The page allows its own script by its hash, and nothing else: no request, no form, no other script. */
export async function buildPage(outdir) {
  const [script, module] = await Promise.all([
    bundled('src/trace/page/main.ts', 'iife'),
    bundled('src/trace/page/checker.ts', 'esm'),
  ]);
  const inline = script.replaceAll('</script', '<\\/script');
  const hash = createHash('sha256').update(inline).digest('base64');
  const policy = `default-src 'none'; script-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Check a trace of inference</title>
<body>
<noscript>This page checks traces and proofs by a script, which this browser does not run.</noscript>
<script>${inline}</script>
</body>
</html>
`;
  const folder = join(outdir, 'trace');
  await mkdir(folder, { recursive: true });
  await Promise.all([
    writeFile(join(folder, 'page.html'), html),
    writeFile(join(folder, 'checker.js'), module),
    writeFile(join(folder, 'checker.d.ts'), await declarations('src/trace/page/checker.ts')),
  ]);
}
