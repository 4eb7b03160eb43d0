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
    ['without a terminal', {}, false],
    ['in CI', { terminal: true, env: { CI: 'true' } }, false],
    ['on a dumb terminal', { terminal: true, env: { TERM: 'dumb' } }, false],
    ['when quiet', { terminal: true }, true],
  ])('writes nothing %s', (_name, options, quiet) => {
    const { progress, written } = start(options, quiet);
    progress.update(1, 2, 'softmax');
    progress.clear();
    expect(written).toEqual({ stdout: '', stderr: '' });
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

  it('never fills the line, which would wrap', () => {
    const { progress, written } = start({ terminal: true });
    progress.update(0, 0, 'x'.repeat(200));
    expect(written.stderr.length).toBe('\r\u001B[2K'.length + 79);
  });
});
