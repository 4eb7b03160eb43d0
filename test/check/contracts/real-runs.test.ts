import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { realRunsPage } from '../../../scripts/real-runs/page.ts';

const folder = new URL('../../../../shared/data', import.meta.url).pathname;
const page = await readFile(new URL('../../../docs/check-real-runs.md', import.meta.url), 'utf8');

describe('docs/check-real-runs.md', () => {
  it.runIf(existsSync(folder))('is what the contracts say of the files', async () => {
    expect(await realRunsPage(folder)).toBe(page);
  });

  it('counts what it says in its tables', () => {
    const cells = page.split('\n').filter((line) => /^\| [\w./-]+\.(yaml|log|jsonl|json) \|/.test(line));
    expect(cells.length).toBe(40);
    const violated = cells.join('').split('✗').length - 1;
    expect(page.split('\n').filter((line) => /^- (CFG|STABLE)-\d+, /.test(line)).length).toBe(violated);
  });
});
