import { spawnSync } from 'node:child_process';

/** The first Python with torch: the system's, since Debian installs it there, or the one on the path. In CI, it has to be there. */
export const python = ['/usr/bin/python3', 'python3'].find(
  (name) => spawnSync(name, ['-c', 'import torch']).status === 0,
);

/** Whether tests that need it are skipped. */
export const absentTorch = python === undefined && process.env['CI'] !== 'true';
if (absentTorch) console.info('skipped: no Python here has torch (apt-get install python3-torch)');
