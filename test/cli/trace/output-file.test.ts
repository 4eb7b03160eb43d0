/**
 * Where commands write: over nothing unasked, whatever somebody else does meanwhile, and nothing that steers a terminal.
 *
 * Holds src/cli/trace/trace-output.ts.
 */
import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Host } from '../../../src/host/host.ts';
import { createNodeHost } from '../../../src/host/node-host.ts';
import { tinyModel } from '../../../src/trace/model/tiny-model.ts';
import { encodeTrace } from '../../../src/trace/format/write-trace.ts';
import { runPv } from '../../support/memory-cli.ts';
import { greedyManifest, randomTrace } from '../../support/trace-cases.ts';
import { bytesAt, modelFlags, put, pvTrace, recorded, textAt, tinyWorld } from './recorded.ts';

const record = ['record', ...modelFlags, '-i', 'Once upon', '-n', '4'] as const;

describe('a file that appears after nothing was there', () => {
  it.each([
    ['keygen', 'x.key', ['keygen', 'x']],
    ['record', 'x', [...record, '--out', 'x']],
    ['record of llama2-rs', 'x', [...record, '--format', 'legacy', '--out', 'x']],
    ['convert', 'x', ['convert', 'run.trace', '--to', 'json', '--out', 'x']],
    ['prove', 'x', ['prove', 'run.trace', '--iteration', '1', '--out', 'x']],
    ['sign', 'x', ['sign', 'run.trace', '--key', 'alice.key', '--out', 'x']],
    ['tiny-model', 'y/tiny-model.bin', ['tiny-model', '--out', 'y']],
  ])('is not written over by %s', async (_, path, argv) => {
    const { host } = await recorded();
    await pvTrace(host, 'keygen', 'alice');
    put(host, path, Uint8Array.of(1, 2, 3));
    const kindOf: Host['kindOf'] = async (one) => (one === path ? 'missing' : host.kindOf(one));
    const ran = await runPv(['trace', ...argv], { host: { ...host, kindOf } });
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(`'${path}' cannot be written: it exists already`);
    expect(bytesAt(host, path)).toEqual(Uint8Array.of(1, 2, 3));
  });
});

it('what a command reads is not written over, a checkpoint neither', async () => {
  const { host } = await recorded();
  await pvTrace(host, 'keygen', 'alice');
  await pvTrace(host, 'sign', 'run.trace', '--key', 'alice.key', '--out', 'run.checkpoint');
  const before = textAt(host, 'run.checkpoint');
  const out = ['--checkpoint', 'run.checkpoint', '--out', 'run.checkpoint', '--force'];
  const ran = await pvTrace(host, 'prove', 'run.trace', '--iteration', '1', ...out);
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('is what this command reads')]);
  expect(textAt(host, 'run.checkpoint')).toBe(before);
});

describe('a link', () => {
  let folder = '';
  const inFolder = (name: string): string => join(folder, name);
  const run = (...argv: readonly string[]) => runPv(['trace', ...argv], { host: createNodeHost(folder) });
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'pv-output-')));
    const { checkpoint, tokenizer } = tinyModel(1);
    writeFileSync(inFolder('tiny-model.bin'), checkpoint);
    writeFileSync(inFolder('tiny-tokenizer.bin'), tokenizer);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it.each([[[]], [['--force']]])('that leads nowhere is not followed (%j)', async (force) => {
    symlinkSync(inFolder('elsewhere'), inFolder('run.trace'));
    const ran = await run(...record, '--out', 'run.trace', ...force);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('it exists already')]);
    expect(readdirSync(folder)).not.toContain('elsewhere');
  });

  it('is kept by --force, which writes over what it leads to', async () => {
    writeFileSync(inFolder('real'), 'old');
    symlinkSync('real', inFolder('run.trace'));
    expect((await run(...record, '--out', 'run.trace')).code).toBe(2);
    expect(readFileSync(inFolder('real'), 'utf8')).toBe('old');
    expect((await run(...record, '--out', 'run.trace', '--force')).code).toBe(0);
    expect(lstatSync(inFolder('run.trace')).isSymbolicLink()).toBe(true);
    expect(readFileSync(inFolder('real')).subarray(1, 5).toString()).toBe('pvtr');
    expect((await run('convert', 'real', '--to', 'json', '--out', 'run.json')).code).toBe(0);
    symlinkSync('run.json', inFolder('link.json'));
    expect((await run('convert', 'real', '--to', 'json', '--out', 'link.json', '--force')).code).toBe(0);
    expect(lstatSync(inFolder('link.json')).isSymbolicLink()).toBe(true);
  });

  it('in the place of the file that a recording is packed in is not followed', async () => {
    writeFileSync(inFolder('precious'), 'precious');
    symlinkSync('precious', inFolder('run.trace.packing'));
    expect((await run(...record, '--out', 'run.trace')).code).toBe(0);
    expect(readFileSync(inFolder('precious'), 'utf8')).toBe('precious');
    expect(lstatSync(inFolder('run.trace')).isFile()).toBe(true);
  });
});

describe('what would steer a terminal', () => {
  const steering = '\u009b2J\u007f\u202e\u2066';
  const odd = /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\u001b/;

  it('is made visible in a note that is printed there, and is unchanged in its file and in a pipe', async () => {
    const { host } = await recorded();
    await pvTrace(host, 'keygen', 'alice');
    const sign = ['sign', 'run.trace', '--key', 'alice.key', '--origin', `log${steering}`, '--out'];
    const shown = await runPv(['trace', ...sign, 'a'], { host, terminal: true });
    expect(shown.code).toBe(0);
    expect(shown.stdout).not.toMatch(odd);
    const piped = await pvTrace(host, ...sign, 'b');
    expect(piped.stdout).toBe(textAt(host, 'b'));
    expect(textAt(host, 'a').split('\n')[0]).toBe(`log${steering}`);
  });

  it('is escaped in verdicts and traces that are printed as JSON, whose values are the same', async () => {
    const host = tinyWorld();
    const manifest = { ...greedyManifest, prompt: { tokens: null, text: `x${steering}` }, profile: `p${steering}` };
    put(host, 'odd.trace', await encodeTrace(randomTrace(80, 3, manifest), null));
    const shown = await pvTrace(host, 'show', 'odd.trace', '--json');
    expect(shown.stdout).not.toMatch(odd);
    expect(JSON.parse(shown.stdout)).toMatchObject({ manifest: { prompt: { text: `x${steering}` } } });
    expect((await pvTrace(host, 'show', 'odd.trace')).stdout).not.toMatch(odd);
    await pvTrace(host, 'prove', 'odd.trace', '--manifest', '--out', 'm.proof');
    const checked = await pvTrace(host, 'check', 'm.proof', '--json');
    expect(checked.stdout).not.toMatch(odd);
    expect(JSON.parse(checked.stdout)).toMatchObject({ leaf: { manifest: { profile: `p${steering}` } } });
    for (const argv of [
      ['check', 'm.proof'],
      ['show', 'odd.trace'],
      ['verify', 'odd.trace', ...modelFlags],
    ]) {
      const ran = await runPv(['trace', ...argv], { host, terminal: true });
      expect(ran.stdout + ran.stderr, argv[0]).not.toMatch(odd);
    }
  });

  it('is made visible in names of files', async () => {
    const host = tinyWorld();
    put(host, `a${steering}`, Uint8Array.of(1));
    for (const argv of [
      ['show', `a${steering}`],
      ['convert', 'b', '--to', 'v2', '--out', `a${steering}`],
      ['check', `missing${steering}`],
    ])
      expect((await pvTrace(host, ...argv)).stderr, argv[0]).not.toMatch(odd);
  });
});
