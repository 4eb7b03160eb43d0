/** Holds src/cli/cli.ts, src/cli/commands/explain.ts. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { codes } from '../../src/diagnostics/codes.ts';
import { exitCodes } from '../../src/api/exit-code.ts';
import { runPv } from '../support/memory-cli.ts';

const files = { '/pv/docs/codes/PV-8001.md': '# PV-8001: the page\n' };

describe('pv explain', () => {
  it.each(['PV-8001', 'pv-8001', 'PV8001', '8001'])('prints the page of %s', async (code) => {
    expect(await runPv(['explain', code], { files })).toEqual({ code: 0, stdout: '# PV-8001: the page\n', stderr: '' });
  });

  it('lists every code with severity and title, sorted', async () => {
    const ran = await runPv(['explain']);
    const lines = ran.stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(Object.keys(codes).length);
    expect(lines).toEqual(lines.toSorted());
    for (const [code, row] of Object.entries(codes))
      expect(ran.stdout).toContain(`${code}  ${row.severity.padEnd(7)}  ${row.title}\n`);
  });

  it('offers a near code', async () => {
    const ran = await runPv(['explain', 'PV-80O1']);
    expect(ran).toMatchObject({ code: exitCodes.usage, stdout: '' });
    expect(ran.stderr).toContain('PV-8001');
  });

  it.each(['constructor', '__proto__', 'x'.repeat(100_000)])('knows no code of that name', async (code) => {
    expect((await runPv(['explain', code])).code).toBe(exitCodes.usage);
  });

  it('falls back on the title when the installation has lost the page', async () => {
    const ran = await runPv(['explain', 'PV-8001']);
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    expect(ran.stdout).toContain(codes['PV-8001'].title);
  });

  it('prints the page that is shipped', async () => {
    const page = await readFile(new URL('../../docs/codes/PV-8001.md', import.meta.url), 'utf8');
    expect((await runPv(['explain', '8001'], { files: { '/pv/docs/codes/PV-8001.md': page } })).stdout).toBe(page);
  });
});
