/** Of a wrong kernel, the proof must leave a statement open: which engines look at which statements. */
import { describe, expect, it } from 'vitest';
import { invariant } from '../../../src/base/invariant.ts';
import type { OpenKernel } from '../../../src/backends/backend.ts';
import { refuseWrongKernel } from '../../../src/methods/bounded/refusal.ts';
import type { BoundedRequest } from '../../../src/methods/bounded/request.ts';
import type { Engine } from '../../../src/bounded-proofs/engines/engine.ts';
import type { DefinedCondition } from '../../../src/bounded-proofs/problem.ts';
import {
  above,
  below,
  doubles,
  engine,
  graph,
  halfRequest,
  halves,
  instanceOf,
  x,
  type Asked,
} from './half-request.ts';

/** What becomes of a kernel that doubles, where the claim is about one that halves. */
async function refusal(
  engines: readonly Engine[],
  restsOn: readonly Engine[],
  defined: readonly DefinedCondition[] = [],
  {
    single = ['doubles'],
    pairs = [],
    ...more
  }: { readonly single?: readonly string[]; readonly pairs?: readonly string[] } & Partial<
    Pick<BoundedRequest, 'budget'>
  > = {},
) {
  const { request, wrong } = await halfRequest(doubles, { engines, ...more });
  const of = (ids: readonly string[]) => ids.map((id) => wrong(id, { defined }));
  return refuseWrongKernel({ ...request, wrong: { single: of(single), pairs: of(pairs) } }, restsOn);
}

const never = (): boolean => false;
const always = (): boolean => true;

describe('a wrong kernel', () => {
  it('is refused where the engines of the proof leave open what is false of it, and no other is asked', async () => {
    const asked: Asked[] = [];
    const [algebra, smt] = [engine('algebra', never, asked), engine('smt', always, asked)];
    const found = await refusal([algebra, smt], [algebra]);
    expect(found).toMatchObject({ kind: 'refused', refuted: { mutant: 'doubles' } });
    invariant(found.kind === 'refused', 'as was just seen');
    const input = Number(/-?[\d.]+/u.exec(found.refuted.input.values['x']?.text ?? '')?.[0]);
    expect(asked).toEqual([['algebra', input < 0 ? above : below]]);
  });

  it('is refused by a condition that fails at the input, before what it claims there', async () => {
    const asked: Asked[] = [];
    const smt = engine('smt', (one) => one === above || one === below, asked);
    const outside = graph.less(graph.integer(100), graph.absolute(x));
    const failing = { kind: 'invalid', condition: outside, text: '100 < |x|' } as const;
    expect(await refusal([smt], [smt], [failing])).toMatchObject({ kind: 'refused' });
    expect(asked).toEqual([['smt', outside]]);
  });

  it('is accepted where all engines together prove all of it, and that is a defect', async () => {
    const asked: Asked[] = [];
    const [algebra, smt] = [engine('algebra', (one) => one === above, asked), engine('smt', always, asked)];
    expect(await refusal([algebra, smt], [smt])).toEqual({ kind: 'accepted', mutant: 'doubles' });
    expect(asked.length).toBeGreaterThan(2);
  });

  it('is tried by all engines where the proof rests on none', async () => {
    const asked: Asked[] = [];
    const [algebra, smt] = [engine('algebra', never, asked), engine('smt', never, asked)];
    expect(await refusal([algebra, smt], [])).toMatchObject({ kind: 'refused' });
    expect(asked.map(([id]) => id)).toEqual(['algebra', 'smt']);
  });

  it('is refused by another statement that stays open, where one that is false was proved', async () => {
    const [algebra, smt] = [engine('algebra', never, []), engine('smt', always, [])];
    expect(await refusal([algebra], [smt])).toMatchObject({ kind: 'refused' });
  });

  it('is searched for among pairs of mistakes too, whether a single mistake was refused or none breaks the claim', async () => {
    let asked = 0;
    const first = engine('smt', () => asked++ > 0, []);
    // The first statement asked about stays open: the single mistake is refused, and the pair accepted.
    expect(await refusal([first], [], [], { pairs: ['and more'] })).toEqual({ kind: 'accepted', mutant: 'and more' });
    const never = engine('smt', () => false, []);
    expect(await refusal([never], [], [], { pairs: ['and more'] })).toMatchObject({ refuted: { mutant: 'doubles' } });
    expect(await refusal([never], [], [], { single: [], pairs: ['and more'] })).toMatchObject({
      refuted: { mutant: 'and more' },
    });
  });

  it('that does not open, breaks nothing, or throws is passed over', async () => {
    const unknown = engine('smt', never);
    const { request, wrong } = await halfRequest(doubles, { engines: [unknown] });
    const of = async (single: BoundedRequest['wrong']['single']) =>
      refuseWrongKernel({ ...request, wrong: { single, pairs: [] } }, [unknown]);
    const shut = { ...wrong('shut'), open: () => Promise.resolve(null) };
    const { kernels: right } = (await halfRequest(halves)).request;
    const harmless = { ...wrong('harmless'), open: () => Promise.resolve({ kernels: right }) };
    const failing: OpenKernel['runSync'] = () => ({ ok: false, failure: { kind: 'threw', message: 'no' } });
    const throwing = new Map([...right].map(([name, kernel]) => [name, { ...kernel, runSync: failing }]));
    const throws = { ...wrong('throws'), open: () => Promise.resolve({ kernels: throwing }) };
    expect(await of([shut, harmless, throws])).toEqual({ kind: 'none' });
    expect(await of([shut, harmless, throws, wrong('doubles')])).toMatchObject({ refuted: { mutant: 'doubles' } });
    expect(await of([])).toEqual({ kind: 'none' });
  });

  it('that cannot be read at those sizes is refused only by a run, unless kernels are replaced', async () => {
    const { request, wrong } = await halfRequest(doubles);
    const unread = { ...wrong('doubles'), instanceAt: () => ({ ok: false, error: 'no' }) as const };
    const single = { wrong: { single: [unread], pairs: [] } };
    expect(await refuseWrongKernel({ ...request, ...single }, [])).toMatchObject({ kind: 'refused' });
    const assumed = [{ goal: 'sub-v1/S', harness: 'KANI-1', check: 'sha256:s', scope: 'n = 1' }];
    expect(await refuseWrongKernel({ ...request, ...single, assumed }, [])).toEqual({ kind: 'none' });
  });

  it('is looked at at the sizes of the input that breaks the claim', async () => {
    const asked: unknown[] = [];
    const unknown = engine('smt', never);
    const { request, wrong } = await halfRequest(doubles, { engines: [unknown] });
    const program = wrong('doubles');
    const instanceAt: typeof program.instanceAt = (sizes) => (asked.push(sizes), program.instanceAt(sizes));
    await refuseWrongKernel({ ...request, wrong: { single: [{ ...program, instanceAt }], pairs: [] } }, [unknown]);
    expect(asked).toEqual([[1]]);
  });

  it('is not compared with outputs that no input tells: all engines look at all of it', async () => {
    const asked: Asked[] = [];
    const smt = engine('smt', always, asked);
    const { request, wrong } = await halfRequest(doubles, { engines: [smt] });
    const [variable] = instanceOf(above).problem.variables;
    invariant(variable, 'there is an input');
    const output = { ...variable, name: 'out:0[0]', standsFor: { kind: 'output', output: 'out:0', index: 0 } } as const;
    const problem = { ...instanceOf(graph.and([above, below])).problem, variables: [variable, output] };
    const single = [wrong('doubles', { problem })];
    expect(await refuseWrongKernel({ ...request, wrong: { single, pairs: [] } }, [engine('algebra', never)])).toEqual({
      kind: 'accepted',
      mutant: 'doubles',
    });
    expect(asked.map(([, statement]) => statement)).toEqual([above, below]);
  });
});
