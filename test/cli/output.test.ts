import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createOutput } from '../../src/cli/output.ts';

function stream(properties: { readonly isTTY?: boolean; readonly columns?: number } = {}) {
  const written: string[] = [];
  return Object.assign(new EventEmitter(), { write: (text: string) => written.push(text), written, ...properties });
}

describe('createOutput', () => {
  it('describes a terminal', () => {
    expect(createOutput(stream({ isTTY: true, columns: 132 }), {})).toMatchObject({
      isTerminal: true,
      color: true,
      columns: 132,
    });
  });

  it('describes a pipe', () => {
    expect(createOutput(stream(), {})).toMatchObject({ isTerminal: false, color: false, columns: 80 });
  });

  it('goes silent when the reader is gone', () => {
    const pipe = stream();
    const output = createOutput(pipe, {});
    output.write('one');
    pipe.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    output.write('two');
    expect(pipe.written).toEqual(['one']);
  });

  it('does not swallow other errors', () => {
    const disk = stream();
    createOutput(disk, {});
    expect(() => disk.emit('error', Object.assign(new Error('full'), { code: 'ENOSPC' }))).toThrow('full');
  });
});
