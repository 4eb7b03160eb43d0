/** Files that are nothing of ours, with what they are called. */
import { gzipSync } from 'node:zlib';

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
export const hex = (digits: string): Uint8Array => Uint8Array.from(Buffer.from(digits, 'hex'));

const safetensors = (): Uint8Array => {
  const header = utf8('{"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}');
  return Uint8Array.from([header.length, 0, 0, 0, 0, 0, 0, 0, ...header, 0, 0, 0, 0]);
};

export const foreign: readonly (readonly [RegExp, Uint8Array])[] = [
  [/an empty file/, new Uint8Array(0)],
  [/a PNG image/, hex('89504e470d0a1a0a0000000d49484452')],
  [/a ZIP archive/, hex('504b03041400000008000000210000000000')],
  [/a gzip archive/, Uint8Array.from(gzipSync('x'))],
  [/a safetensors file/, safetensors()],
  [/a PDF/, utf8('%PDF-1.7\n1 0 obj\n')],
  [
    /a tar archive/,
    Uint8Array.from({ length: 512 }, (_, i) => 'a.txt'.charCodeAt(i) || 'ustar'.charCodeAt(i - 257) || 0),
  ],
  [/a GGUF model/, hex('4747554603000000')],
  [/a Python pickle/, hex('80027d71002e')],
  [/a UTF-16 text/, Uint8Array.from(Buffer.from('\uFEFFindex 1\r\n', 'utf16le'))],
  [/an HTML page/, utf8('<!DOCTYPE html><html></html>')],
  [/a pointer of Git LFS/, utf8('version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n')],
  [/JSON that is of no kind/, utf8('{"name": "provable-contracts"}')],
  [/JSON that is of no kind/, utf8('[1, 2]')],
  [/a verdict/, utf8('{"format": "pv-trace-verdict/1"}')],
  [/pv trace show --json prints/, utf8('{"format": "pv-trace-show/1", "entries": []}')],
];
