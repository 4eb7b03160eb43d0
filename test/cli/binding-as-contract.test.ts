/**
 * Holds src/cli/code-output.ts, src/cli/commands/audit.ts, src/cli/commands/generate.ts, src/cli/commands/status.ts,
 * src/cli/commands/verify.ts, src/cli/generate-flags.ts.
 */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/api/exit-code.ts';
import { runPv } from '../support/memory-cli.ts';

const softmax = await readFile(new URL('../../contracts/softmax-kernel-v1.yaml', import.meta.url), 'utf8');
const binding = 'version: "1"\ntarget: p\nbindings:\n  - { contract: a, equation: e, status: pending }\n';
const files = {
  'contracts/softmax-kernel-v1.yaml': softmax,
  'contracts/binding.yaml': binding,
  'mixed/softmax-kernel-v1.yaml': softmax,
  'mixed/kernels.yaml': binding,
  'run.json': '{}',
};

describe('a binding where a contract is expected', () => {
  it.each([
    ['validate', []],
    ['audit', []],
    ['verify', []],
    ['status', []],
    ['graph', []],
    ['equations', []],
    ['generate', []],
    ['check', ['--data', 'run.json']],
  ])('pv %s says so once, and what to write', async (command, flags) => {
    const ran = await runPv([command, 'contracts/binding.yaml', ...flags], { files });
    expect(ran.code).toBe(exitCodes.usage);
    const said = ran.stdout + ran.stderr;
    expect(said.match(/\[PV-\d{4}\]/g)).toEqual(['[PV-2008]']);
    expect(said).toContain('contracts/binding.yaml is a binding file');
    expect(said).toContain('pv audit contracts --binding contracts/binding.yaml');
  });

  it('is the binding of the contracts that it is named with', async () => {
    const both = await runPv(['validate', 'contracts/binding.yaml', 'contracts/softmax-kernel-v1.yaml'], { files });
    const alone = await runPv(['validate', 'contracts/softmax-kernel-v1.yaml'], { files });
    expect(both).toEqual(alone);
    expect(alone.code).toBe(exitCodes.ok);
  });

  it('is an error under another name, and the contracts beside it are read', async () => {
    const ran = await runPv(['validate', 'mixed'], { files });
    expect(ran.code).toBe(exitCodes.findings);
    expect(ran.stdout.match(/^error\[PV-\d{4}\]/gm)).toEqual(['error[PV-2008]']);
    expect(ran.stdout).toMatch(/^2 files: 1 valid/m);
  });

  it('is not a contract that lists bindings of its own', async () => {
    const own = await runPv(['validate', 'a.yaml'], { files: { 'a.yaml': `${softmax}\nbindings: [a]\n` } });
    expect(own.stdout).not.toContain('PV-2008');
    expect(own.code).toBe(exitCodes.ok);
  });
});
