import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { confirmed } from '../../../scripts/public-contracts/confirmed.ts';
import { publicContractsPage } from '../../../scripts/public-contracts/page.ts';

const folder = new URL('../../../../shared/data', import.meta.url).pathname;
const isThere = existsSync(`${folder}/contracts-albor`);
const page = await readFile(new URL('../../../docs/audit-of-public-contracts.md', import.meta.url), 'utf8');

describe('docs/audit-of-public-contracts.md', () => {
  it.runIf(isThere)('is what pv says of the files', { timeout: 900_000 }, async () => {
    expect(await publicContractsPage(folder)).toBe(page);
  });

  it.runIf(!isThere)(`is not compared: ${folder}/contracts-albor is not there`, () => {
    expect(isThere).toBe(false);
  });

  it('has a row for each statement that was checked by hand', () => {
    const rows = page.split('\n').filter((line) => line.startsWith('| `pv adopt'));
    expect(rows.length).toBe(confirmed.length);
    for (const [i, { contract, claim, word, why }] of confirmed.entries())
      for (const part of [`contracts/${contract}.yaml`, claim, word, why]) expect(rows[i]).toContain(part);
  });
});

it('docs/adopt.md shows the first line that pv prints of these files', async () => {
  const guide = await readFile(new URL('../../../docs/adopt.md', import.meta.url), 'utf8');
  const [, shown] = /^✗ (\d+ contracts: [^]*?)\n```/mu.exec(guide) ?? [];
  expect(shown).toBeDefined();
  expect(page).toContain(shown?.replaceAll('\n', ' '));
});
