/** Holds src/trace/format/write-trace.ts. */
import { describe, expect, it } from 'vitest';
import { fromJson, toJson } from '../../../src/trace/format/json.ts';
import { readTrace } from '../../../src/trace/format/read-trace.ts';
import { encodeTrace, encodeTraceFile } from '../../../src/trace/format/write-trace.ts';
import type { Trace, TraceFile } from '../../../src/trace/format/trace.ts';
import { greedyManifest, randomTrace } from '../../support/trace-cases.ts';

async function fileOf(trace: Trace, bytesAway = 0): Promise<TraceFile> {
  const bytes = await encodeTrace(trace, bytesAway === 0 ? 'origin\n42\nroot\n\n— key sig\n' : null);
  const read = await readTrace(bytes.subarray(0, bytes.length - bytesAway));
  if (!read.ok) throw new Error(read.error.message);
  return read.value;
}

const small = await fileOf(randomTrace(30, 4, { ...greedyManifest, sketch: 2 }));

describe('a trace as JSON', () => {
  it.each([
    ['entries, gaps and a checkpoint', () => fileOf(randomTrace(31, 60))],
    ['sketches', () => fileOf(randomTrace(32, 20, { ...greedyManifest, sketch: 7 }))],
    ['nothing', () => fileOf(randomTrace(33, 0))],
    ['an incomplete file', () => fileOf(randomTrace(34, 20), 100)],
  ])('reads back whole: %s', async (_, make) => {
    const file = await make();
    const read = fromJson(toJson(file));
    expect(read).toEqual({ ok: true, value: file });
    const again = await readTrace(await encodeTraceFile(file));
    expect(again).toEqual({ ok: true, value: { ...file, droppedBytes: 0 } });
  });

  it('is JSON with a line for each entry', () => {
    const text = toJson(small);
    expect(text.split('\n').length).toBe(small.entries.length + 3);
    expect(JSON.parse(text)).toMatchObject({
      format: 'pv-trace-json/2',
      size: 5,
      entries: [{ kind: 'step', position: 0 }, {}, {}, {}],
    });
  });

  const changes: readonly (readonly [string, string, (text: string) => string])[] = [
    ['no JSON', 'PV-8045', () => '{"format"'],
    ['another format', 'PV-8045', (text) => text.replace('pv-trace-json/2', 'pv-trace-json/3')],
    ['an unknown key', 'PV-8045', (text) => text.replace('{"checkpoint"', '{"note":1,"checkpoint"')],
    ['a missing key', 'PV-8045', (text) => text.replace('"complete":true,', '')],
    [
      'upper-case digits',
      'PV-8045',
      (text) => text.replace(/"root":"[^"]+"/, (all) => all.toUpperCase().replace('ROOT', 'root')),
    ],
    ['a short hash', 'PV-8045', (text) => text.replace(/"logitsHash":".."?/, '"logitsHash":"')],
    ['a fraction', 'PV-8045', (text) => text.replace('"position":0', '"position":0.5')],
    [
      'a logit of more digits than float32 has',
      'PV-8041',
      (text) => text.replace(/"logSumExp":[0-9.]+/, '"logSumExp":12.3000001'),
    ],
    ['another size', 'PV-8042', (text) => text.replace('"size":5', '"size":6')],
    [
      'another root',
      'PV-8043',
      (text) => text.replace(/"root":"./, (all) => `${all.slice(0, -1)}${all.endsWith('0') ? '1' : '0'}`),
    ],
    ['another seed or length', 'PV-8043', (text) => text.replace('"steps":100', '"steps":101')],
    [
      'another hash of logits',
      'PV-8043',
      (text) => text.replace(/"logitsHash":"./, (all) => `${all.slice(0, -1)}${all.endsWith('0') ? '1' : '0'}`),
    ],
    ['a position left out', 'PV-8038', (text) => text.replace('"position":1', '"position":2')],
    ['a token outside of the vocabulary', 'PV-8039', (text) => text.replace(/"outputToken":\d+/, '"outputToken":512')],
    ['tokens that contradict', 'PV-8040', (text) => text.replace(/"outputToken":\d+/, '"outputToken":511')],
    ['a manifest with an unknown key', 'PV-8034', (text) => text.replace('"manifest":{', '"manifest":{"x":1,')],
    ['bytes dropped from a complete file', 'PV-8045', (text) => text.replace('"droppedBytes":0', '"droppedBytes":1')],
    ['a checkpoint in an incomplete one', 'PV-8045', (text) => text.replace('"complete":true', '"complete":false')],
    ['a root that is repeated', 'PV-8045', (text) => text.replace('"root"', `"root":"${'0'.repeat(64)}","root"`)],
    ['a seed that is repeated', 'PV-8045', (text) => text.replace('"steps":100', '"st\\u0065ps":9,"steps":100')],
    ['an empty checkpoint', 'PV-8045', (text) => text.replace(/"checkpoint":"[^"]*"/, '"checkpoint":""')],
  ];

  it.each(changes)('is refused with %s (%s)', (_, code, change) => {
    const text = toJson(small);
    const changed = change(text);
    expect(changed).not.toBe(text);
    expect(fromJson(changed)).toMatchObject({ ok: false, error: { code } });
  });

  it('may have its members in any order and spacing', () => {
    const { format, ...rest } = JSON.parse(toJson(small)) as Record<string, unknown>;
    expect(fromJson(JSON.stringify({ ...rest, format }, null, 2))).toEqual({ ok: true, value: small });
  });
});
