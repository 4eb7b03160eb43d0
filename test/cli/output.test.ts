import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createOutput } from '../../src/cli/output.ts';

function stream(properties: { readonly isTTY?: boolean; readonly columns?: number } = {}) {
  const written: string[] = [];
  return Object.assign(new EventEmitter(), { write: (text: string) => written.push(text), written, ...properties });
}

const fail = (message: string): never => expect.fail(message);

describe('createOutput', () => {
  it('describes a terminal', () => {
    expect(createOutput(() => stream({ isTTY: true, columns: 132 }), {}, fail)).toMatchObject({
      isTerminal: true,
      color: true,
      columns: 132,
    });
  });

  it('describes a pipe', () => {
    expect(createOutput(stream, {}, fail)).toMatchObject({ isTerminal: false, color: false, columns: 80 });
  });

  it('opens no stream before it is used', () => {
    const output = createOutput(() => expect.fail('opened'), {}, fail);
    expect(() => output.color).toThrow('opened');
  });

  it('goes silent when the reader is gone', () => {
    const pipe = stream();
    const output = createOutput(() => pipe, {}, fail);
    output.write('one');
    pipe.emit('error', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    output.write('two');
    expect(pipe.written).toEqual(['one']);
  });

  it('says once that nothing more can be written, and why', () => {
    const disk = stream();
    const heard: string[] = [];
    const output = createOutput(
      () => disk,
      {},
      (message) => heard.push(message),
    );
    output.write('some');
    const full = Object.assign(new Error('write'), { code: 'ENOSPC' });
    disk.emit('error', full);
    disk.emit('error', full);
    output.write('more');
    expect(heard).toEqual(['no space left on the device']);
    expect(disk.written).toEqual(['some']);
  });
});
