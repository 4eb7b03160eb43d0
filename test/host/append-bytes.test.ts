import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { appendBytes } from '../../src/host/append-bytes.ts';

test('bytes go behind the last ones of an open file, and what cannot be written is told by the path', () => {
  const folder = mkdtempSync(join(tmpdir(), 'pv-append-'));
  const path = join(folder, 'file');
  const [writable, readable] = [openSync(path, 'w'), openSync(path, 'r')];
  expect(appendBytes(writable, 'file', Uint8Array.of(1, 2))).toEqual({ ok: true, value: undefined });
  expect(appendBytes(writable, 'file', Uint8Array.of(0, 3).subarray(1))).toEqual({ ok: true, value: undefined });
  expect([...readFileSync(path)]).toEqual([1, 2, 3]);
  expect(appendBytes(readable, 'file', Uint8Array.of(4))).toMatchObject({
    ok: false,
    error: { kind: 'other', path: 'file', message: expect.stringContaining('EBADF') },
  });
  for (const descriptor of [writable, readable]) closeSync(descriptor);
  rmSync(folder, { recursive: true });
});
