/**
 * Writes docs/check-real-runs.md: what the contracts over data say about public configs and logs, which are in a folder
 * next to the repository. Facts and figures only; the files stay where they are.
 */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { realRunsPage } from './real-runs/page.ts';

const folder = process.argv[2] ?? '../shared/data';
if (existsSync(folder)) await writeFile('docs/check-real-runs.md', await realRunsPage(folder));
else {
  process.stderr.write(`check-real-runs: ${folder} is not there, so nothing can be checked\n`);
  process.exitCode = 1;
}
