/** Holds src/scan/sizes/requirements.ts, src/scan/sizes/size-expression.ts. */
import { describe, expect, it } from 'vitest';
import { pointedAt, scanCode } from '../../support/scan-code.ts';

const rule = 'buffer-size';
const documented = `/**
 * @param out - [seq, intermediate]
 */
function silu(input: Float32Array, out: Float32Array, seq: number, intermediate: number) {}
`;
const checked = `function silu(out: Float32Array, seq: number, intermediate: number) {
  if (out.length !== seq * intermediate) throw new Error('size');
}
`;
const looped = `function silu(out: Float32Array, seq: number, intermediate: number) {
  for (let s = 0; s < seq; s++) for (let i = 0; i < intermediate; i++) out[s * intermediate + i] = 0;
}
`;

describe('buffer-size finds', () => {
  it.each([
    [
      'the bug of ALB-043, documented',
      `${documented}silu(x, new Float32Array(seq * hidden), seq, intermediate);`,
      'new Float32Array(seq * hidden)',
    ],
    [
      'the same, checked',
      `${checked}silu(new Float32Array(seq * hidden), seq, intermediate);`,
      'new Float32Array(seq * hidden)',
    ],
    [
      'the same, looped over',
      `${looped}silu(new Float32Array(seq * hidden), seq, intermediate);`,
      'new Float32Array(seq * hidden)',
    ],
    ['a constant', `${documented}const out = new Float32Array(seq * hidden);\nsilu(x, out, seq, intermediate);`, 'out'],
    [
      'a missing dimension',
      `${documented}silu(x, new Float32Array(intermediate), seq, intermediate);`,
      'new Float32Array(intermediate)',
    ],
    [
      'fields of a config',
      `${documented}silu(x, new Float32Array(c.seq * c.hidden), c.seq, c.intermediate);`,
      'new Float32Array(c.seq * c.hidden)',
    ],
    [
      'numbers',
      `${checked}const seq = 8;\nconst wide = 32;\nconst out = new Float32Array(8 * 16);\nsilu(out, seq, wide);`,
      'out',
    ],
    [
      'a single loop',
      'function fill(out: Float32Array, n: number, d: number) { for (let i = 0; i < n * d; i++) out[i] = 1; }\nfill(new Float64Array(n * h), n, d);',
      'new Float64Array(n * h)',
    ],
    [
      'a constructor',
      'class Block { constructor(buf: Float32Array, s: number, h: number) { assert(buf.length === s * h); } }\nnew Block(new Float32Array(s * i), s, h);',
      'new Float32Array(s * i)',
    ],
    [
      'a buffer of a device',
      `${documented}const out = device.createBuffer({ size: seq * hidden * 4, usage });\nsilu(x, out, seq, intermediate);`,
      'out',
    ],
    [
      'an allocation',
      `${documented}silu(x, GpuBuffer.zeros(ctx, seq * hidden), seq, intermediate);`,
      'GpuBuffer.zeros(ctx, seq * hidden)',
    ],
    [
      'a name that is passed as a size',
      `${documented}silu(x, new Float32Array(intermediate), seq, intermediate);`,
      'new Float32Array(intermediate)',
    ],
  ])('%s', async (_name, text, expected) => {
    expect(await pointedAt(rule, text)).toEqual([expected]);
  });

  it('says both sizes', async () => {
    const { findings } = await scanCode({ 'a.ts': `${documented}silu(x, new Float32Array(s * h), s, i);` });
    expect(findings[0]?.diagnostic.message).toBe(
      '`silu` takes `out` of i × s elements (documented), and this buffer has h × s',
    );
  });

  it('follows an import', async () => {
    const { findings } = await scanCode({
      'src/kernels/silu.ts': `export ${checked}`,
      'src/run.ts':
        "import { silu as act } from './kernels/silu.js';\nact(new Float32Array(seq * hidden), seq, inter);",
    });
    expect(findings.map(({ diagnostic }) => diagnostic.span?.source.path)).toEqual(['src/run.ts']);
  });
});

describe('buffer-size leaves alone', () => {
  it.each([
    ['the right size', `${documented}silu(x, new Float32Array(seq * intermediate), seq, intermediate);`],
    ['the factors the other way round', `${checked}silu(new Float32Array(intermediate * seq), seq, intermediate);`],
    ['other names for the same values', `${checked}silu(new Float32Array(rows * cols), rows, cols);`],
    ['a larger buffer', `${looped}silu(new Float32Array(batch * seq * intermediate), seq, intermediate);`],
    [
      'a constant for the product',
      `${checked}const n = seq * intermediate;\nsilu(new Float32Array(n * 1), seq, intermediate);`,
    ],
    ['an alias', `${checked}const width = intermediate;\nsilu(new Float32Array(seq * intermediate), seq, width);`],
    ['heads × head size for hidden', `${checked}silu(new Float32Array(seq * heads * headDim), seq, hidden);`],
    [
      'an array that is as long as itself',
      'class M { constructor(rows, values: Float32Array, dims) { for (let i = 0; i < values.length; i++) this.set(rows[i], values[i]); } }\nnew M(rows, new Float32Array(this.entries.size), dims);',
    ],
    [
      'two arrays of one length',
      'function f(x: Float32Array, n: number) { for (let i = 0; i < n; i++) x[i] = 0; }\nf(new Float32Array(a.length), b.length);',
    ],
    ['a copied array', `${checked}silu(new Float32Array(values), seq, intermediate);`],
    ['a size of a call', `${checked}silu(new Float32Array(sizeOf(model)), seq, intermediate);`],
    ['a view of memory', `${checked}silu(new Float32Array(memory, offset, length), seq, intermediate);`],
    ['an unknown callee', 'gpu.silu(new Float32Array(seq * hidden), seq, intermediate);'],
    [
      'a loop that skips',
      `function f(out: Float32Array, n: number, d: number) { for (let i = 0; i < n * d; i++) { if (i < 4) out[i] = 1; } }\nf(new Float32Array(n * h), n, d);`,
    ],
    [
      'a comparison that is no check',
      `function f(out: Float32Array, n: number, d: number) { if (out.length < n * d) grow(out); }\nf(new Float32Array(n * h), n, d);`,
    ],
    [
      'a buffer of a device in bytes',
      `${documented}silu(x, device.createBuffer({ size: 4 * seq * intermediate, usage }), seq, intermediate);`,
    ],
  ])('%s', async (_name, text) => {
    expect(await pointedAt(rule, text)).toEqual([]);
  });
});
