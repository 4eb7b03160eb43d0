import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { runProgram } from '../../src/host/program.ts';

const run = (
  script: string,
  limits: { readonly timeoutMs?: number; readonly memoryMb?: number; readonly signal?: AbortSignal } = {},
) =>
  runProgram({
    program: 'sh',
    arguments: ['-c', script],
    folder: tmpdir(),
    timeoutMs: 10_000,
    memoryMb: 512,
    fileMb: 1,
    ...limits,
  });

describe('a program', () => {
  it('ends with what it said and its code', async () => {
    expect(await run('echo out; echo err >&2; exit 3')).toMatchObject({ kind: 'ended', code: 3, output: 'out\nerr\n' });
  });

  it('is heard in whole characters, however its output comes in pieces', async () => {
    expect(await run("printf '\\342'; sleep 0.2; printf '\\210\\200 x'")).toMatchObject({ output: '∀ x' });
  });

  it('is missing when there is none of that name', async () => {
    const end = await runProgram({
      program: 'no-such-program-here',
      arguments: [],
      folder: tmpdir(),
      timeoutMs: 10_000,
      memoryMb: 512,
      fileMb: 1,
    });
    expect(end.kind).toBe('missing');
  });

  it('is missing when its folder is', async () => {
    const end = await runProgram({
      program: 'sh',
      arguments: [],
      folder: '/no/such/folder',
      timeoutMs: 10_000,
      memoryMb: 512,
      fileMb: 1,
    });
    expect(end.kind).toBe('missing');
  });

  it('is stopped when its time is over, with everything that it started', async () => {
    const end = await run('sleep 30 & sleep 30; echo never', { timeoutMs: 300 });
    expect(end).toMatchObject({ kind: 'stopped', output: '' });
  });

  it('is stopped when the command is interrupted', async () => {
    const interrupted = new AbortController();
    setTimeout(() => interrupted.abort(), 200);
    expect((await run('sleep 30', { signal: interrupted.signal })).kind).toBe('stopped');
  });

  it('sees no secrets of the environment', async () => {
    process.env['PV_TEST_SECRET'] = 'secret';
    const end = await run('echo "[$PV_TEST_SECRET]"');
    delete process.env['PV_TEST_SECRET'];
    expect(end.output).toBe('[]\n');
  });

  it('cannot say more than 64 KiB', async () => {
    const end = await run(
      'i=0; while [ $i -lt 3000 ]; do echo "a line that is about as long as sixty characters are, more or less"; i=$((i+1)); done',
    );
    expect(end.output.length).toBe(65_536);
  });

  it('cannot write a longer file than it may', async () => {
    const end = await run(
      'head -c 3000000 /dev/zero > "$HOME/pv-too-long"; code=$?; rm -f "$HOME/pv-too-long"; exit $code',
    );
    expect(end.kind === 'stopped' || end.code !== 0).toBe(true);
  });
});
