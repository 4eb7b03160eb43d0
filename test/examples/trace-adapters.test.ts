import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { bytesToHex } from '@noble/hashes/utils.js';
import { readTrace } from '../../src/trace/format/read-trace.ts';
import { repositoryRoot } from '../support/built.ts';

const folder = mkdtempSync(join(tmpdir(), 'pv-trace-examples-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** SHA-256 of the logits at position 13, which all three compute: three tokens of prompt and twelve that follow. */
const lastHash = 'd30a3697a6133ef17875c12104cbc99f6db9257feed54d72e1ea9991730676d3';

describe('the examples of recording', () => {
  it.each([
    ['trace-onnxruntime', 14, 0],
    ['trace-transformers', 14, 0],
    ['trace-web-llm', 12, 2],
  ])('%s writes a finished trace', async (name, steps, unseen) => {
    const out = join(folder, `${name}.trace`);
    const args = ['scripts/run.mjs', `examples/${name}/main.ts`, out];
    const said = execFileSync(process.execPath, args, { cwd: repositoryRoot, encoding: 'utf8' });
    const read = await readTrace(readFileSync(out));
    if (!read.ok) throw new Error(read.error.message);
    const { entries, complete, root } = read.value;
    expect(complete).toBe(true);
    expect(said).toContain(bytesToHex(root));
    expect(entries.filter((entry) => entry.kind === 'step').length).toBe(steps);
    expect(entries[0]).toMatchObject(unseen > 0 ? { kind: 'gap', count: unseen } : { kind: 'step', inputToken: 1 });
    const last = entries.at(-1);
    expect(last).toMatchObject({ position: 13, outputToken: expect.any(Number) });
    expect(last?.kind === 'step' && bytesToHex(last.logitsHash)).toBe(lastHash);
  });
});
