// Regenerates every committed file that is made from another: runs scripts/generate-*, in the order of their names.
import { readdir } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './bundle.mjs';

const scripts = (await readdir(join(root, 'scripts')))
  .filter((name) => /^generate-.*\.(ts|mjs)$/.test(name))
  .toSorted();
for (const name of scripts) {
  const args = name.endsWith('.ts')
    ? [join(root, 'scripts/run.mjs'), join(root, 'scripts', name)]
    : [join(root, 'scripts', name)];
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit', cwd: root });
  if (status !== 0) throw new Error(`scripts/${name} failed`);
}
