/**
 * Writes docs/audit-of-public-contracts.md: which statements of public contracts are false. The contracts are in a folder next to the
 * repository and stay there.
 */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { publicContractsPage } from './public-contracts/page.ts';

const folder = process.argv[2] ?? '../shared/data';
if (existsSync(`${folder}/contracts-albor`))
  await writeFile('docs/audit-of-public-contracts.md', await publicContractsPage(folder));
else {
  process.stderr.write(`audit-of-public-contracts: ${folder}/contracts-albor is not there, so nothing can be judged\n`);
  process.exitCode = 1;
}
