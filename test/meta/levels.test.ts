/** What a level means is worded once, in the code; the documents repeat it. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { levelMeanings } from '../../src/evidence/verdict.ts';

it.each(['README.md', 'docs/evidence.md'])('is the same in %s', (path) => {
  const text = readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| (L\d) +\| (.*?) +\|$/gmu)].map(([, level = '', meaning = '']) => [
    level,
    meaning,
  ]);
  expect(rows).toEqual(Object.entries(levelMeanings));
});

it('is required by the gate of this project and by the gate that pv init makes', () => {
  const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  for (const path of ['package.json', 'templates/init/workflow.hbs', 'templates/init/package.hbs'])
    expect(read(path)).toMatch(/verify --min-level L3\b/u);
});
