import { readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { codes } from '../../src/diagnostics/codes.ts';

const folder = new URL('../../docs/codes/', import.meta.url);
const pages = (await readdir(folder))
  .filter((name) => name.endsWith('.md'))
  .map((name) => name.slice(0, -'.md'.length));

describe('the pages of the codes', () => {
  it('are one per code, and no more', () => {
    expect(pages.toSorted()).toEqual(Object.keys(codes).toSorted());
  });

  it.each(pages)('%s: a title with the code, a wrong example, how to fix it', async (code) => {
    const page = await readFile(new URL(`${code}.md`, folder), 'utf8');
    expect(page).toMatch(new RegExp(`^# ${code}\\b.*\\S`));
    expect(page).toMatch(/\n```[a-z]*\n[^]+?\n```\n/);
    expect(page.length).toBeGreaterThan(200);
  });
});

describe('the table of codes', () => {
  it.each(Object.entries(codes))('%s is a title of one line', (code, row) => {
    expect(code).toMatch(/^PV-[1-9]\d{3}$/);
    expect(row.title).toMatch(/^\S.{8,100}[^.\s]$/);
  });
});
