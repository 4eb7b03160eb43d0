/** Holds src/evidence/summary.ts. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deriveClaim, type ClaimEvidence, type ClaimStatus } from '../../src/evidence/derive.ts';
import { sha256 } from '../../src/evidence/digest.ts';
import type { MethodId, MutantOutcome, Receipt } from '../../src/evidence/receipt.ts';
import { countByVerdict, summarizeClaims } from '../../src/evidence/summary.ts';
import { isGreen, isRefuted, levels, verdicts } from '../../src/evidence/verdict.ts';
import { sampleInput, sampleReceipt } from './sample-receipt.ts';

const goal = 'softmax-kernel-v1/SM-INV-001';
const counterexample = { input: sampleInput, explanation: 'left = 2, right = 1', shrinks: 3, outputs: ['[2]'] };

const mutant = (
  killedBy: readonly string[],
  equivalent: string | null = null,
  killedByOrdinary = killedBy,
): MutantOutcome => ({
  mutant: 'saboteur:zero',
  killedBy,
  killedByOrdinary,
  equivalent,
  separatingInput: null,
  separatingOutputs: null,
});
const made = (method: MethodId, changes: Partial<Receipt> = {}): Receipt => sampleReceipt({ goal, method, ...changes });
const property = made('property');
const falsify = made('falsify', { cases: 12, declaredCases: 12, premiseHits: 12 });
const types = made('types', { cases: 0, declaredCases: 0, premiseHits: 0, worst: null });
const adequacy = made('adequacy', {
  mutants: [mutant([goal]), mutant([]), mutant([], 'rounds the same')],
  cases: 0,
  declaredCases: 0,
});

/** The claim's status when the plan wants exactly `receipts` and has them. */
function derived(receipts: readonly Receipt[], changes: Partial<ClaimEvidence> = {}): ClaimStatus {
  const expected = receipts.map(({ check, method, backend }) => ({
    check,
    method,
    backend: backend.id,
    isControl: false,
  }));
  const currentChecks = new Set(expected.map(({ check }) => check));
  return deriveClaim({
    goal,
    notGoal: null,
    unboundEquations: [],
    expected,
    receipts,
    receiptOf: (check) => receipts.find((receipt) => receipt.check === check),
    currentChecks,
    adequacyExemption: null,
    asksFiniteness: false,
    hollow: null,
    waiver: null,
    ...changes,
  });
}

describe('wrong kernels that only extremes give away', () => {
  const caughtBy = (...mutants: readonly MutantOutcome[]): Receipt =>
    made('adequacy', { goal: 'softmax-kernel-v1/softmax', mutants });
  const byExtreme = mutant([goal], null, []);
  const reason = /^it catches 1 of 2 wrong kernels, and that one only where an output is NaN, infinite or/;

  test('say nothing about a claim on values', () => {
    const status = derived([property, caughtBy(byExtreme, mutant([]))]);
    expect(status).toMatchObject({ verdict: 'vacuous', reason: expect.stringMatching(reason) });
    expect(status.kills).toEqual({ killed: 1, total: 2 });
    expect(derived([property, caughtBy(byExtreme, mutant([goal], null, ['another/claim']))]).verdict).toBe('vacuous');
    expect(derived([property, caughtBy(byExtreme, mutant([goal]))]).verdict).toBe('tested');
    expect(derived([property, caughtBy(byExtreme, mutant([goal], 'said to be equal'))]).verdict).toBe('vacuous');
  });

  test('are caught again where the tolerance allows most, or the claim is vacuous', () => {
    const lookedAt = (name: string, caught: string | null): Receipt => ({
      ...caughtBy(mutant([goal])),
      mostAllowed: [{ goal: name, sizes: { n: 64, m: 2 }, caught }],
    });
    expect(derived([property, lookedAt(goal, 'saboteur:zero')]).verdict).toBe('tested');
    expect(derived([property, lookedAt('softmax-kernel-v1/SM-INV-002', null)]).verdict).toBe('tested');
    expect(derived([property, lookedAt(goal, null)])).toMatchObject({
      verdict: 'vacuous',
      reason: 'at n = 64, m = 2, where its tolerance allows most, wrong kernels pass that it catches at other sizes',
    });
  });

  test('are what a claim on finiteness is about', () => {
    const changes = { asksFiniteness: true };
    expect(derived([property, caughtBy(byExtreme, mutant([]))], changes).verdict).toBe('tested');
    expect(derived([property, caughtBy(mutant([]))], changes).verdict).toBe('vacuous');
  });

  test('are not told of a claim that nothing could break anyway', () => {
    expect(derived([property, adequacy], { hollow: 'it says nothing' })).toMatchObject({
      verdict: 'vacuous',
      reason: 'it says nothing',
    });
    const broken = made('property', { counterexample });
    expect(derived([broken, adequacy], { hollow: 'it says nothing' }).verdict).toBe('falsified');
  });
});

describe('green', () => {
  test('10,000 property cases that held and catch a wrong kernel: tested, L3', () => {
    expect(derived([property, adequacy])).toMatchObject({
      verdict: 'tested',
      level: 'L3',
      evaluated: true,
      reason: null,
      kills: { killed: 1, total: 2 },
    });
  });

  test('falsification tests, or fewer cases: tested, L2', () => {
    expect(derived([falsify, adequacy])).toMatchObject({ verdict: 'tested', level: 'L2' });
    const fewer = made('property', { cases: 9_999, declaredCases: 9_999, premiseHits: 9_999 });
    expect(derived([fewer, falsify, adequacy])).toMatchObject({ verdict: 'tested', level: 'L2' });
  });

  test('property tests on two backends are L3 only when both have the cases', () => {
    const other = made('property', { check: sha256('ref32'), cases: 100, declaredCases: 100, premiseHits: 100 });
    expect(derived([property, other, adequacy])).toMatchObject({ verdict: 'tested', level: 'L2' });
  });

  test('a fact that runs no kernel needs no wrong kernel', () => {
    expect(derived([falsify], { adequacyExemption: 'runs no kernel' })).toMatchObject({
      verdict: 'tested',
      level: 'L2',
      kills: null,
    });
  });

  test("a contract's adequacy counts the mutants that this claim killed, by goal or claim id", () => {
    const whole = made('adequacy', {
      goal: 'softmax-kernel-v1',
      mutants: [mutant(['SM-INV-001']), mutant([goal]), mutant(['SM-INV-0011']), mutant(['other/SM-INV-001'])],
    });
    expect(derived([property, whole])).toMatchObject({ verdict: 'tested', kills: { killed: 2, total: 4 } });
  });
});

describe('never green', () => {
  test.each<[string, () => ClaimStatus, string, RegExp]>([
    [
      'a counterexample, even under a green verdict',
      () => derived([made('property', { counterexample }), adequacy]),
      'falsified',
      /left = 2/,
    ],
    [
      'one falsified receipt among green ones',
      () => derived([property, made('falsify', { verdict: 'falsified', reason: 'broke' }), adequacy]),
      'falsified',
      /broke/,
    ],
    [
      'an error above the allowed one',
      () => derived([made('property', { worst: { error: 2, allowed: 1, ratio: 2, input: sampleInput } }), adequacy]),
      'falsified',
      /2 times/,
    ],
    [
      'an error that is not a number',
      () =>
        derived([made('property', { worst: { error: NaN, allowed: 1, ratio: NaN, input: sampleInput } }), adequacy]),
      'falsified',
      /NaN/,
    ],
    [
      'an unsound claim',
      () => derived([property, adequacy, made('soundness', { verdict: 'unsound', reason: 'too tight' })]),
      'unsound',
      /equation itself.*too tight/,
    ],
    ['no case', () => derived([made('property', { cases: 0, declaredCases: 0 }), adequacy]), 'vacuous', /no case/],
    [
      'a premise that never held',
      () => derived([made('property', { premiseHits: 0 }), adequacy]),
      'vacuous',
      /premise held in 0 of 10000/,
    ],
    [
      'no wrong kernel caught',
      () => derived([property, made('adequacy', { mutants: [mutant([]), mutant([])] })]),
      'vacuous',
      /0 of 2/,
    ],
    [
      'only equivalent kernels tried',
      () => derived([property, made('adequacy', { mutants: [mutant([goal], 'same')] })]),
      'incomplete',
      /no wrong kernel/,
    ],
    ['adequacy not run', () => derived([property]), 'incomplete', /no wrong kernel/],
    [
      'adequacy cut short before a kill',
      () =>
        derived([
          property,
          made('adequacy', { verdict: 'incomplete', reason: 'budget ran out', mutants: [mutant([])] }),
        ]),
      'incomplete',
      /budget/,
    ],
    [
      'fewer cases than declared',
      () => derived([made('property', { cases: 9_000, premiseHits: 9_000 }), adequacy]),
      'incomplete',
      /9000 of 10000/,
    ],
    [
      'more than a fifth filtered',
      () => derived([made('property', { filtered: 2_501 }), adequacy]),
      'incomplete',
      /2501 of 12501/,
    ],
    [
      'a proof by sampling',
      () => derived([made('property', { verdict: 'proved' }), adequacy]),
      'undetermined',
      /cannot prove/,
    ],
    ['types alone', () => derived([types], { adequacyExemption: 'none' }), 'undetermined', /no check decides/],
    ['soundness alone', () => derived([made('soundness'), adequacy]), 'undetermined', /no check decides/],
    ['nothing planned', () => derived([]), 'undetermined', /no check decides/],
    [
      'prose',
      () => derived([property, adequacy], { notGoal: { status: 'prose', reason: 'is English' } }),
      'prose',
      /English/,
    ],
    [
      'not elaborated',
      () => derived([], { notGoal: { status: 'undetermined', reason: 'recurrence' } }),
      'undetermined',
      /recurrence/,
    ],
    ['no kernel', () => derived([property, adequacy], { unboundEquations: ['softmax'] }), 'unbound', /softmax/],
  ])('%s', (_, statusOf, verdict, reason) => {
    const status = statusOf();
    expect(status.verdict).toBe(verdict);
    expect(status.reason).toMatch(reason);
    expect(['L0', 'L1']).toContain(status.level);
  });

  test('checks that have not run', () => {
    const expected = [property, adequacy].map(({ check, method, backend }) => ({
      check,
      method,
      backend: backend.id,
      isControl: false,
    }));
    expect(derived([], { expected, receipts: [] })).toMatchObject({
      verdict: 'undetermined',
      reason: '0 of 2 checks have run',
      evaluated: false,
    });
    expect(derived([], { expected, receipts: [property] })).toMatchObject({
      verdict: 'incomplete',
      reason: '1 of 2 checks have run',
      evaluated: true,
    });
  });

  test('float64 alone makes nothing green: it is a control', () => {
    const control = made('property', {
      backend: { id: 'ref64', device: 'node', arithmetic: 'f64' },
      check: sha256('64'),
    });
    const wanted = (receipts: readonly Receipt[]) =>
      receipts.map(({ check, method, backend: { id } }) => ({ check, method, backend: id, isControl: id === 'ref64' }));
    const alone = [control, adequacy];
    expect(derived(alone, { expected: wanted(alone) })).toMatchObject({
      verdict: 'undetermined',
      level: 'L0',
      reason: expect.stringContaining('it ran in float64 alone (ref64), which is a control'),
    });
    const both = [property, control, adequacy];
    expect(derived(both, { expected: wanted(both) })).toMatchObject({ verdict: 'tested', level: 'L3' });
    const broken = [property, { ...control, counterexample }, adequacy];
    expect(derived(broken, { expected: wanted(broken) }).verdict).toBe('falsified');
  });

  test('evidence of another version is stale, of another goal or backend it is none', () => {
    const expected = [{ check: sha256('new'), method: 'property' as const, backend: 'gpujs-webasm', isControl: false }];
    const old = (changes: Partial<Receipt>) =>
      derived([], { expected, receipts: [made('property', { check: sha256('old'), ...changes })] });
    expect(old({})).toMatchObject({ verdict: 'stale', level: 'L0', evaluated: false });
    expect(old({ goal: 'other/X' }).verdict).toBe('undetermined');
    expect(old({ method: 'falsify' }).verdict).toBe('undetermined');
    expect(old({ backend: { id: 'ref32', device: 'cpu', arithmetic: 'f32' } }).verdict).toBe('undetermined');
  });

  test('what rests on a check that is no longer planned is stale', () => {
    const resting = made('property', { restsOn: { 'sub/A': sha256('before') } });
    expect(derived([resting, adequacy])).toMatchObject({ verdict: 'stale', reason: expect.stringContaining('sub/A') });
    const currentChecks = new Set([resting.check, adequacy.check, sha256('before')]);
    expect(derived([resting, adequacy], { currentChecks }).verdict).toBe('tested');
  });
});

describe('the status of a claim', () => {
  const wantedOf = (receipts: readonly Receipt[], isControl = false) =>
    receipts.map(({ check, method, backend }) => ({ check, method, backend: backend.id, isControl }));
  const bounded = { check: sha256('bounded'), method: 'bounded' as const, backend: 'ref32', isControl: false };

  test.each(['falsify', 'property', 'statistical', 'reals', 'controls'] as const)('is decided by %s', (method) => {
    const decided = derived([made(method), adequacy]);
    const level = { falsify: 'L2', property: 'L3', statistical: 'L3', reals: 'L0', controls: 'L2' }[method];
    expect(decided).toMatchObject({ verdict: 'tested', level, reason: null, waived: null, evaluated: true });
  });

  test.each(['types', 'soundness', 'adequacy'] as const)('is not decided by %s', (method) => {
    expect(derived([made(method, { check: sha256('it') }), adequacy])).toMatchObject({
      verdict: 'undetermined',
      reason: 'no check decides this claim',
      evaluated: false,
    });
  });

  test('is of no level where it is of the mathematics, whatever else ran', () => {
    expect(derived([property, made('reals'), adequacy])).toMatchObject({ verdict: 'tested', level: 'L0' });
  });

  test('is L1 by types that fit alone, and L0 where an input breaks the claim', () => {
    expect(derived([types, property])).toMatchObject({ verdict: 'incomplete', level: 'L1' });
    expect(derived([property])).toMatchObject({ verdict: 'incomplete', level: 'L0' });
    const misfit = { ...types, verdict: 'undetermined' as const, reason: 'no types' };
    expect(derived([misfit, property])).toMatchObject({ verdict: 'undetermined', level: 'L0' });
    expect(derived([types, made('property', { counterexample })])).toMatchObject({ verdict: 'falsified', level: 'L0' });
    const unsound = made('soundness', { verdict: 'unsound', reason: 'r' });
    expect(derived([types, unsound])).toMatchObject({ verdict: 'unsound', level: 'L0' });
  });

  test('needs cases to have been evaluated', () => {
    expect(derived([made('property', { cases: 0 })]).evaluated).toBe(false);
    expect(derived([made('property', { cases: 1 })]).evaluated).toBe(true);
    expect(derived([types, made('soundness')]).evaluated).toBe(false);
  });

  test('has the receipts that the plan wants, in its order, and none that it does not want', () => {
    const expected = [bounded, ...wantedOf([adequacy, property])];
    const status = derived([property, falsify, adequacy], { expected });
    expect(status.receipts).toEqual([adequacy, property]);
  });

  test('of two reasons has the first', () => {
    const [first, second] = ['first', 'second'].map((reason) =>
      made('property', { check: sha256(reason), verdict: 'falsified', reason }),
    );
    if (!first || !second) throw new Error('two receipts were made');
    expect(derived([first, second]).reason).toBe('first');
    expect(derived([second, first]).reason).toBe('second');
  });

  test('counts no bounded proof among the checks that it waits for', () => {
    const expected = [...wantedOf([property, adequacy]), bounded];
    expect(derived([], { expected, receipts: [property] }).reason).toBe('1 of 2 checks have run');
    expect(derived([property, adequacy], { expected })).toMatchObject({ verdict: 'tested', reason: null });
  });

  test('is stale where what a check read has changed, and says what', () => {
    const expected = wantedOf([property, adequacy]);
    const changes = { expected, whyChanged: (check: string) => (check === adequacy.check ? 'data.json' : undefined) };
    expect(derived([property], changes)).toMatchObject({
      verdict: 'stale',
      reason: 'the adequacy evidence is of another state: data.json',
    });
    expect(derived([adequacy], changes)).toMatchObject({ verdict: 'incomplete', reason: '1 of 2 checks have run' });
  });

  test('says which wrong kernels it catches by extremes alone', () => {
    const byExtreme = mutant([goal], null, []);
    const caught = (...mutants: readonly MutantOutcome[]) => derived([property, made('adequacy', { mutants })]).reason;
    const extremes = 'only where an output is NaN, infinite or four times larger than any right one';
    expect(caught(mutant([]))).toBe('it catches 0 of 1 wrong kernels');
    expect(caught(byExtreme)).toBe(`it catches 1 of 1 wrong kernels, and that one ${extremes}`);
    expect(caught(byExtreme, byExtreme)).toBe(`it catches 2 of 2 wrong kernels, and those ${extremes}`);
  });

  test('waits for adequacy that was cut short, and for none that is at its end', () => {
    const cut = made('adequacy', { verdict: 'incomplete', reason: null, mutants: [mutant([])] });
    expect(derived([property, cut])).toMatchObject({ verdict: 'incomplete', reason: 'adequacy did not finish' });
    const whole = { ...cut, verdict: 'tested' as const };
    expect(derived([property, whole])).toMatchObject({ verdict: 'vacuous' });
    expect(derived([property, whole, made('bounded', { verdict: 'incomplete' })])).toMatchObject({
      verdict: 'vacuous',
    });
    expect(derived([property, { ...cut, mutants: [mutant([goal])] }])).toMatchObject({ verdict: 'tested' });
  });
});

describe('who is to blame', () => {
  const there = (broken: string | null) => ({ outputs: ['[1]'], broken });
  const ofEquation = (kernel: ReturnType<typeof there> | null): Receipt =>
    made('soundness', { verdict: 'unsound', counterexample: { ...counterexample, outputs: ['[NaN]'], kernel } });
  const broken = made('property', { counterexample });

  test.each<[string, readonly Receipt[], Partial<ClaimEvidence>, string, readonly string[] | undefined]>([
    ['the equation, where the kernel holds', [property, adequacy, ofEquation(there(null))], {}, 'unsound', ['[NaN]']],
    ['the equation, before its kernel has run', [ofEquation(null)], {}, 'unsound', ['[NaN]']],
    ['the equation, without a kernel', [ofEquation(null)], { unboundEquations: ['f'] }, 'unsound', ['[NaN]']],
    ['the kernel, where both break it', [broken, adequacy, ofEquation(there('left = 3'))], {}, 'falsified', ['[2]']],
    [
      'the kernel, on an input that only the equation met',
      [property, ofEquation(there('x'))],
      {},
      'falsified',
      ['[1]'],
    ],
    [
      'the equation, where no kernel is bound to one of them',
      [broken, ofEquation(there(null))],
      { unboundEquations: ['f'] },
      'unsound',
      ['[NaN]'],
    ],
    [
      'the kernel, where no input is kept of it and the other holds',
      [made('property', { verdict: 'falsified', reason: 'r' }), ofEquation(there(null))],
      {},
      'falsified',
      undefined,
    ],
    [
      'nobody, without a kernel and with a sound equation',
      [made('soundness')],
      { unboundEquations: ['f'] },
      'unbound',
      undefined,
    ],
  ])('%s', (_, all, changes, verdict, outputs) => {
    const status = derived(all, changes);
    expect(status.verdict).toBe(verdict);
    expect(status.counterexample?.outputs).toEqual(outputs);
    expect(status.level).toBe('L0');
    expect(status.evaluated).toBe(verdict !== 'unbound');
  });
});

describe('waivers', () => {
  const broken = [made('property', { counterexample }), adequacy];

  test('with reason and owner: waived, never green, and the reason keeps what is waived', () => {
    const status = derived(broken, { waiver: { reason: 'known driver bug', owner: 'ann', expires: '2027-03-31' } });
    expect(status).toMatchObject({
      verdict: 'waived',
      waived: 'falsified',
      evaluated: true,
      counterexample,
      reason: expect.stringMatching(/ann until 2027-03-31: known driver bug \(falsified: left = 2/),
    });
    expect(isGreen(status.verdict)).toBe(false);
  });

  test.each([
    { reason: '', owner: 'ann', expires: '2027-03-31' },
    { reason: ' \t', owner: 'ann', expires: '2027-03-31' },
    { reason: 'x', owner: '  ', expires: '2027-03-31' },
  ])('without one of them: not waived', (waiver) => {
    expect(derived(broken, { waiver })).toMatchObject({
      verdict: 'falsified',
      reason: expect.stringContaining('needs a reason and an owner'),
    });
  });

  test('change nothing about a green claim', () => {
    expect(derived([property, adequacy], { waiver: { reason: 'r', owner: 'o', expires: '2027-03-31' } }).verdict).toBe(
      'tested',
    );
  });
});

describe('laws', () => {
  const receipts = fc.array(
    fc.record({
      method: fc.constantFrom<MethodId>('types', 'falsify', 'property', 'soundness', 'adequacy'),
      verdict: fc.constantFrom(...verdicts),
      cases: fc.constantFrom(0, 5, 10_000),
      declaredCases: fc.constantFrom(0, 5, 10_000),
      premiseHits: fc.constantFrom(0, 5),
      counterexample: fc.constantFrom(null, counterexample),
      mutants: fc.constantFrom(null, [], [mutant([])], [mutant([goal])]),
    }),
    { maxLength: 6 },
  );

  test('green demands: every receipt green by itself, cases run, something killed; what broke is blamed first', () => {
    fc.assert(
      fc.property(receipts, (drawn) => {
        const all = drawn.map((changes, i) => made(changes.method, { ...changes, check: sha256(String(i)) }));
        const status = derived(all);
        const deciding = all.filter(({ method }) => method !== 'adequacy');
        const refuted = deciding.filter((one) => isRefuted(one.verdict) || one.counterexample !== null);
        const blamed = refuted.some(({ method }) => method !== 'soundness') ? 'falsified' : 'unsound';
        if (refuted.length > 0) expect(status.verdict).toBe(blamed);
        expect(status.counterexample).toBe(
          refuted.find((one) => one.counterexample !== null && (one.method === 'soundness') === (blamed === 'unsound'))
            ?.counterexample ?? null,
        );
        if (!isGreen(status.verdict)) return void expect(status.reason).not.toBeNull();
        expect(deciding.every((receipt) => isGreen(receipt.verdict))).toBe(true);
        expect(status.evaluated && (status.kills?.killed ?? 0) > 0).toBe(true);
        expect(levels.indexOf(status.level)).toBeGreaterThanOrEqual(2);
      }),
      { numRuns: 2000 },
    );
  });

  test('more receipts of the plan never make a verdict better than each subset of deciding ones allows', () => {
    fc.assert(
      fc.property(receipts, fc.nat(5), (drawn, dropped) => {
        const all = drawn.map((changes, i) => made(changes.method, { ...changes, check: sha256(String(i)) }));
        const expected = all.map(({ check, method, backend }) => ({
          check,
          method,
          backend: backend.id,
          isControl: false,
        }));
        const fewer = all.filter((_, i) => i !== dropped % Math.max(1, all.length));
        if (fewer.length < all.length) expect(isGreen(derived(fewer, { expected }).verdict)).toBe(false);
      }),
    );
  });
});

describe('summary', () => {
  const claim = (verdict: (typeof verdicts)[number], level: (typeof levels)[number], evaluated: boolean) => ({
    verdict,
    level,
    evaluated,
  });

  test('the weakest claim decides', () => {
    expect(summarizeClaims([claim('tested', 'L3', true), claim('tested', 'L2', true)])).toEqual({
      declared: 2,
      evaluated: 2,
      failed: 0,
      verdict: 'tested',
      level: 'L2',
    });
    expect(
      summarizeClaims([claim('tested', 'L3', true), claim('falsified', 'L0', true), claim('prose', 'L0', false)]),
    ).toEqual({
      declared: 3,
      evaluated: 2,
      failed: 1,
      verdict: 'falsified',
      level: 'L0',
    });
  });

  test('nothing declared or nothing evaluated is never green', () => {
    expect(summarizeClaims([])).toEqual({ declared: 0, evaluated: 0, failed: 0, verdict: 'undetermined', level: 'L0' });
    expect(summarizeClaims([claim('tested', 'L3', false)])).toMatchObject({ verdict: 'undetermined', level: 'L0' });
  });

  test('every verdict is counted, also the absent ones', () => {
    expect(Object.keys(countByVerdict([])).sort()).toEqual([...verdicts].sort());
    expect(countByVerdict(['tested', 'tested', 'stale'])).toMatchObject({ tested: 2, stale: 1, proved: 0 });
  });
});
