import { describe, expect, it } from 'vitest';
import { createProgress } from '../../src/cli/progress.ts';
import { createMemoryHost } from '../../src/host/memory-host.ts';
import { memoryCli, type RunOptions } from '../support/memory-cli.ts';

const start = (options: RunOptions, quiet = false) => {
  const host = createMemoryHost();
  const { cli, written } = memoryCli({ host, ...options });
  return { progress: createProgress(cli, quiet), host, written };
};

describe('createProgress', () => {
  it.each([
    ['without a terminal', {}],
    ['in CI', { terminal: true, env: { CI: 'true' } }],
    ['on a dumb terminal', { terminal: true, env: { TERM: 'dumb' } }],
  ])('writes a line every half minute %s, and none when quiet', (_name, options) => {
    const [heard, quiet] = [start(options), start(options, true)];
    for (const { progress, host } of [heard, quiet]) {
      progress.update(1, 200, 'softmax');
      host.advance(29_000);
      progress.update(20, 200, 'softmax');
      host.advance(2_000);
      progress.update(30, 200, 'softmax');
      progress.update(31, 200, 'softmax');
      host.advance(60_000);
      progress.update(200, 200, 'the end is said by the report');
      progress.clear();
    }
    expect(heard.written).toEqual({ stdout: '', stderr: 'pv: 30 of 200 (15 %) done\n' });
    expect(quiet.written).toEqual({ stdout: '', stderr: '' });
  });

  it('rewrites one line on stderr and wipes it', () => {
    const { progress, host, written } = start({ terminal: true });
    progress.update(1, 3, 'softmax');
    progress.update(2, 3, 'too soon to show');
    host.advance(100);
    progress.update(2, 3, 'rmsnorm');
    progress.update(3, 3, 'the end is always shown');
    progress.clear();
    expect(written.stdout).toBe('');
    expect(written.stderr.split('\r\u001B[2K')).toEqual([
      '',
      '1 of 3 (33 %) softmax',
      '2 of 3 (66 %) rmsnorm',
      '3 of 3 (100 %) the end is always shown',
      '',
    ]);
  });

  const passed = { name: 'softmax-v1', passed: true, line: '✓ softmax-v1' };
  const failed = { name: 'rope-v1', passed: false, line: '✗ rope-v1' };

  it('keeps a line about each part that has ended above the current one', () => {
    const { progress, written } = start({ terminal: true });
    progress.update(1, 3, 'softmax');
    progress.ended(passed);
    progress.ended(failed);
    expect(written.stderr).toBe('\r\u001B[2K1 of 3 (33 %) softmax\r\u001B[2K✓ softmax-v1\n✗ rope-v1\n');
  });

  it('counts the parts that have ended in the occasional line, and names those that did not pass', () => {
    const { progress, host, written } = start({});
    for (const part of [passed, failed, passed]) progress.ended(part);
    host.advance(31_000);
    progress.update(30, 200, 'softmax');
    expect(written.stderr).toBe('pv: 30 of 200 (15 %) done, 2 contracts passed, not passed: rope-v1\n');
  });

  it('never fills the line, which would wrap', () => {
    const { progress, written } = start({ terminal: true });
    progress.update(0, 0, 'x'.repeat(200));
    expect(written.stderr.length).toBe('\r\u001B[2K'.length + 79);
  });
});
