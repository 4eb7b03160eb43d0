// Installs each example that uses other packages, with pv as it is packed, into a temporary folder, and runs it: `npm run examples`.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const examples = ['tensorflow-js', 'jax-js'];
const folder = mkdtempSync(join(tmpdir(), 'pv-examples-'));
const npm = (cwd, ...argv) =>
  execFileSync('npm', argv, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

try {
  const [{ filename }] = JSON.parse(
    npm('.', 'pack', '--json', '--silent', '--ignore-scripts', '--pack-destination', folder),
  );
  for (const name of examples) {
    console.log(`\n${name}`);
    const copy = join(folder, name);
    cpSync(join('examples', name), copy, { recursive: true });
    npm(copy, 'install', '--no-audit', '--no-fund', '--silent', join(folder, filename));
    const output = npm(copy, 'run', '--silent', 'start');
    console.log(output.trimEnd());
    for (const expected of [/^step 50 refused: /m, /^99 of 100 steps committed$/m, /^VERIFIED \(ledger\): /m])
      if (!expected.test(output)) throw new Error(`${name} does not print ${expected}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
