/** Holds src/backends/load-text.ts. */
import * as fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadText } from '../../src/backends/load-text.ts';
import { nodeBase64, pageBase64, pageMessageText, readMessage, writeMessage } from '../../src/backends/page-message.ts';

const number = fc.oneof(fc.double(), fc.constantFrom(-0, Number.NaN, Infinity, -Infinity));
const message = fc.record({
  kind: fc.string(),
  calls: fc.array(
    fc.record({ values: fc.array(fc.oneof(number, fc.record({ data: fc.float32Array() }))), ok: fc.boolean() }),
  ),
});

describe('a message to a page', () => {
  afterEach(() => vi.unstubAllGlobals());

  it.each([
    ['node', () => nodeBase64],
    ['a browser', pageBase64],
  ])('is read as it was written, in %s', (_, base64) => {
    fc.assert(
      fc.property(message, (one) => {
        expect(readMessage(writeMessage(one, nodeBase64), base64())).toEqual(one);
        expect(readMessage(writeMessage(one, base64()), nodeBase64)).toEqual(one);
      }),
    );
  });

  it('takes what a browser has of its own for bytes', () => {
    class Bytes extends Uint8Array<ArrayBuffer> {
      static fromBase64 = (text: string): Uint8Array => nodeBase64.decode(text);
      toBase64(): string {
        return nodeBase64.encode(this);
      }
    }
    vi.stubGlobal('Uint8Array', Bytes);
    const sent = { data: Float32Array.of(1, -0, Number.NaN) };
    expect(readMessage(writeMessage(sent, pageBase64()), pageBase64())).toEqual(sent);
  });

  it('keeps arrays apart, and large ones whole', () => {
    const sent = [new Float32Array(0), Float32Array.from({ length: 100_000 }, (_, i) => i), Float32Array.of(7)];
    expect(readMessage(writeMessage(sent, pageBase64()), pageBase64())).toEqual(sent);
  });

  it('is answered by a script of its own', async () => {
    const script = pageMessageText('(message) => ({ got: message })');
    const { answer } = await loadText(`${script}\nexport const answer = globalThis.pvAnswer;`);
    const sent = { data: Float32Array.of(0.5, -0) };
    const text = await (answer as (text: string) => Promise<string>)(writeMessage(sent, nodeBase64));
    expect(readMessage(text, nodeBase64)).toEqual({ got: sent });
  });
});
