/** Profiles that hide copies from their steps, and healthy ones that look alike. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { copy, kinetoEvents, type TraceEvent } from '../../support/kineto-trace.ts';
import { runPv } from '../../support/memory-cli.ts';

const contract = 'training-gpu-kernel-v1.yaml';
const text = readFileSync(new URL(`../../../contracts/${contract}`, import.meta.url), 'utf8').replaceAll(
  / *diagnosis: .*\n/g,
  '',
);

const profile = (events: readonly TraceEvent[], rest: string = ''): string =>
  `{"schemaVersion": 1, "traceEvents": ${JSON.stringify(events)}${rest}}`;
const healthy = [...kinetoEvents(3, 4), ...kinetoEvents(4, 4)];
/** Two more copies to the device and one to the host in the first step. */
const more = (['HtoD', 'HtoD', 'DtoH'] as const).flatMap((direction, i) =>
  copy({ call: 31_000 + 200 * i, start: 31_100 + 200 * i, duration: 9, direction, bytes: 8, correlation: 9000 + i }),
);
const crowded = [...healthy, ...more];

const isCopy = ({ cat }: TraceEvent): boolean => cat === 'gpu_memcpy';
const isStep = ({ name }: TraceEvent): boolean => String(name).startsWith('ProfilerStep#');
const changed = (which: (event: TraceEvent) => boolean, change: TraceEvent): readonly TraceEvent[] =>
  crowded.map((event) => (which(event) ? { ...event, ...change } : event));
const asArray = crowded.map((event) =>
  isCopy(event) ? { ...event, name: String(event['name']).replace('HtoD', 'HtoA').replace('DtoH', 'AtoH') } : event,
);

async function verdicts(content: string): Promise<string> {
  const sizes = [
    'transfers_h2d=2',
    'transfers_d2h=1',
    'batch_size=1',
    'seq_len=1',
    'hidden_size=1',
    'vocab_size=1',
  ].flatMap((one) => ['--set', one]);
  const { stdout } = await runPv(['check', contract, '--data', 'run.json', ...sizes], {
    files: { [contract]: text, 'run.json': content },
  });
  return [...stdout.matchAll(/^ *(\S) GPU-00[123]/gm)].map(([, mark]) => mark).join('');
}

describe('copies of a step', () => {
  test.each([
    ['steps that last no time', profile(changed(isStep, { dur: 0 }))],
    ['steps without a duration', profile(changed(isStep, { dur: undefined }))],
    ['steps that end before their copies', profile(changed(isStep, { dur: 1 }))],
    ['steps that only begin', profile(changed(isStep, { ph: 'B' }))],
    ['copies without a name', profile(changed(isCopy, { name: undefined }))],
    ['copies whose name is empty', profile(changed(isCopy, { name: '' }))],
    ['copies that do not say where to', profile(changed(isCopy, { name: 'Memcpy' }))],
    ['copies that only begin', profile(changed(isCopy, { ph: 'B' }))],
    ['copies without a phase', profile(changed(isCopy, { ph: undefined }))],
    ['a second list of events', profile(healthy, `, "traceEvents": ${JSON.stringify(crowded)}`)],
    ['a second list behind others', profile(healthy, `, "a": [1], "traceEvents": ${JSON.stringify(crowded)}`)],
  ])('hidden by %s are not passed', async (_, content) => {
    expect(await verdicts(content)).toBe('???');
  });

  test.each([
    ['as they are', profile(crowded)],
    ['without a category', profile(changed(isCopy, { cat: undefined }))],
    ['of arrays', profile(asArray)],
  ])('%s are counted', async (_, content) => {
    expect(await verdicts(content)).toBe('✗✗✗');
  });

  test.each([
    ['as PyTorch writes it', profile(healthy)],
    ['with the word in other places', profile(healthy, ', "a": ["traceEvents"], "b": {"traceEvents": [{}]}')],
    [
      'with copies between places of the host, and flows',
      profile([
        ...healthy,
        { ...more[1], name: 'Memcpy HtoH (Pageable -> Pinned)' },
        { ph: 's', id: 9, cat: 'gpu_memcpy', name: 'ac2g', ts: 31_000, pid: 0, tid: 7 },
      ]),
    ],
    [
      'with copies before the first step and after the last',
      profile([...healthy, ...more.map((event, i) => ({ ...event, ts: i < 2 ? 10 + i : 90_000 + i }))]),
    ],
  ])('a healthy profile %s passes', async (_, content) => {
    expect(await verdicts(content)).toBe('✓✓✓');
  });
});
