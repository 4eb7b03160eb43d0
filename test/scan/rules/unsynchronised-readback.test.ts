/** Holds src/scan/readback/device-copies.ts, src/scan/readback/mapped-buffers.ts. */
import { describe, expect, it } from 'vitest';
import { applyEdits } from '../../../src/scan/edits.ts';
import { pointedAt, scanCode } from '../../support/scan-code.ts';

const rule = 'unsynchronised-readback';

describe('unsynchronised-readback finds', () => {
  it.each([
    [
      'a range taken at once',
      'async function f() { buf.mapAsync(1); return buf.getMappedRange(); }',
      'buf.getMappedRange()',
    ],
    [
      'a promise that is forgotten',
      'async function f() { const p = b.mapAsync(1); const r = b.getMappedRange(); await p; return r; }',
      'b.getMappedRange()',
    ],
    [
      'a promise that nothing waits for',
      'function f() { void q; this.buf.mapAsync(GPUMapMode.READ); }',
      'this.buf.mapAsync(GPUMapMode.READ)',
    ],
    [
      'a copy that was not submitted',
      'async function f() { enc.copyBufferToBuffer(src, 0, dst, 0, n); await dst.mapAsync(1); return dst.getMappedRange(); }',
      'dst.mapAsync(1)',
    ],
    [
      'the bug of ALB-065',
      'function clip(grads) { for (const g of grads) { const h = g.copyToHost(); s += norm(h); } }',
      'g.copyToHost()',
    ],
    [
      'a launch without a wait',
      'function f() { kernel.launch(grid, stream); out.copyToHostAt(host, 0); }',
      'out.copyToHostAt(host, 0)',
    ],
    [
      'a wait before the launch',
      'function f() { stream.synchronize(); kernel.launch(g, stream); cuMemcpyDtoH(host, ptr, n); }',
      'cuMemcpyDtoH(host, ptr, n)',
    ],
    [
      'a wait for debugging alone',
      'function f() { gemm(a, b, stream); if (debug) stream.synchronize(); b.copyToHost(h); }',
      'b.copyToHost(h)',
    ],
    [
      'cudaMemcpy',
      'function f() { launchKernel(k); cudaMemcpy(h, d, n, cudaMemcpyDeviceToHost); }',
      'cudaMemcpy(h, d, n, cudaMemcpyDeviceToHost)',
    ],
    [
      'a callback that comes too late',
      'function f() { b.mapAsync(1).then(done); return b.getMappedRange(); }',
      'b.getMappedRange()',
    ],
  ])('%s', async (_name, text, expected) => {
    expect(await pointedAt(rule, text)).toEqual([expected]);
  });
});

describe('unsynchronised-readback leaves alone', () => {
  it.each([
    ['an awaited map', 'async function f() { await buf.mapAsync(1); return buf.getMappedRange(); }'],
    [
      'a promise that is awaited',
      'async function f() { const p = b.mapAsync(1); q.submit([c]); await p; return b.getMappedRange(); }',
    ],
    [
      'promises awaited together',
      'async function f() { await Promise.all([a.mapAsync(1), b.mapAsync(1)]); return [a.getMappedRange(), b.getMappedRange()]; }',
    ],
    [
      'promises held and awaited together',
      'async function f() { const p = a.mapAsync(1); const q = b.mapAsync(1); await Promise.all([p, q]); return a.getMappedRange(); }',
    ],
    ['then', 'function f() { return buf.mapAsync(1).then(() => buf.getMappedRange()); }'],
    [
      'a buffer mapped at creation',
      'function f() { const b = d.createBuffer({ mappedAtCreation: true }); new Float32Array(b.getMappedRange()).set(x); b.unmap(); }',
    ],
    [
      'a submitted copy',
      'async function f() { enc.copyBufferToBuffer(src, 0, dst, 0, n); device.queue.submit([enc.finish()]); await dst.mapAsync(1); }',
    ],
    [
      'an encoder handed on',
      'async function f() { enc.copyBufferToBuffer(src, 0, dst, 0, n); send(enc); await dst.mapAsync(1); }',
    ],
    ['a returned promise', 'function map(b) { return b.mapAsync(1); }'],
    ['a wait before the copy', 'function f() { kernel.launch(g, stream); stream.synchronize(); out.copyToHost(h); }'],
    [
      'one wait for several copies',
      'function f() { run(k, stream); stream.synchronize(); for (const b of bs) b.copyToHost(h); }',
    ],
    ['an awaited copy', 'async function f() { kernel.launch(g, stream); await out.copyToHost(h); }'],
    ['the definition of the copy', 'class B { copyToHost(h) { return native.copyToHost(this.ptr, h); } }'],
    ['what was uploaded here', 'function roundTrip(b) { b.copyFromHost(x); b.copyToHost(y); compare(x, y); }'],
    ['cudaMemcpy to the device', 'function f() { cudaMemcpy(d, h, n, cudaMemcpyHostToDevice); }'],
    ['a copy that is waited for by a callback', 'function f(t) { return t.copyToHost().then(use); }'],
  ])('%s', async (_name, text) => {
    expect(await pointedAt(rule, text)).toEqual([]);
  });
});

describe('the fix of unsynchronised-readback', () => {
  it.each([
    [
      'awaits the map',
      'async function f() { buf.mapAsync(1); return buf.getMappedRange(); }',
      'async function f() { await buf.mapAsync(1); return buf.getMappedRange(); }',
    ],
    [
      'waits for the stream of the launch',
      'function f() {\n  kernel.launch(g, stream);\n  const h = out.copyToHost();\n}',
      'function f() {\n  kernel.launch(g, stream);\n  stream.synchronize();\n  const h = out.copyToHost();\n}',
    ],
  ])('%s', async (_name, text, expected) => {
    const { findings } = await scanCode({ 'a.ts': text }, { rules: [rule] });
    expect(applyEdits(text, findings[0]?.fix ?? [])).toBe(expected);
    expect(await pointedAt(rule, expected)).toEqual([]);
  });

  it('is not offered where nothing may be awaited', async () => {
    const { findings } = await scanCode(
      { 'a.ts': 'function f() { b.mapAsync(1); b.getMappedRange(); }' },
      { rules: [rule] },
    );
    expect(findings.map(({ fix }) => fix)).toEqual([null]);
  });
});
