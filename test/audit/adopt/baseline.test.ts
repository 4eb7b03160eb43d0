import { describe, expect, it } from 'vitest';
import { compareWithBaseline, readBaseline, writeBaseline } from '../../../src/audit/adopt/baseline.ts';
import { adopted, contractOf } from './adopted.ts';
import type { AdoptedStatement, AdoptionWord } from '../../../src/report/adopt/adoption.ts';

const found = (claim: string, word: AdoptionWord, formal = 'f(x) ≥ 0', more: Partial<AdoptedStatement> = {}) =>
  ({
    contract: 'f-v1',
    claim,
    source: 'obligation',
    word,
    property: 'p',
    formal,
    file: 'f-v1.yaml',
    line: 7,
    counterexample: null,
    reason: 'because',
    mend: null,
    ...more,
  }) as const satisfies AdoptedStatement;

const ada = { owner: 'ada', reason: 'as upstream: "has" them' };
const read = (text: string) => readBaseline({ path: 'baseline.yaml', text });
const entriesOf = (judged: readonly AdoptedStatement[]) => read(writeBaseline(judged, ada)).value;

describe('a baseline', () => {
  const judged = [found('C-2', 'vacuous'), found('C-1', 'false'), found('C-3', 'held'), found('C-4', 'prose')];

  it('is written sorted, with findings alone, and is read as it was written', () => {
    const text = writeBaseline(judged, ada);
    const { value, diagnostics } = read(text);
    expect(diagnostics).toEqual([]);
    expect(value.map(({ claim, word, owner, reason }) => [claim, word, owner, reason])).toEqual([
      ['C-1', 'false', 'ada', ada.reason],
      ['C-2', 'vacuous', 'ada', ada.reason],
    ]);
    expect(writeBaseline(judged.toReversed(), ada)).toBe(text);
    expect(read(writeBaseline([], ada))).toEqual({ value: [], diagnostics: [] });
  });

  it('keeps the owner and reason of an entry that it already has', () => {
    const before = entriesOf([found('C-1', 'false')]);
    const text = writeBaseline(judged, { owner: 'bob', reason: 'new' }, before);
    expect(read(text).value.map(({ owner }) => owner)).toEqual(['ada', 'bob']);
  });

  it('accepts what it has, and names what it does not have', () => {
    const report = compareWithBaseline([...judged, found('C-5', 'false-in-float32')], entriesOf(judged), 'b.yaml');
    expect(report.accepted.map(({ claim, owner }) => [claim, owner])).toEqual([
      ['C-1', 'ada'],
      ['C-2', 'ada'],
    ]);
    expect(report).toMatchObject({ path: 'b.yaml', unknown: ['f-v1/C-5'], gone: [] });
  });

  it.each([
    ['was fixed', [found('C-1', 'held')], []],
    ['is gone', [], []],
    ['has another text', [found('C-1', 'false', 'f(x) ≥ 1')], ['f-v1/C-1']],
    ['is wrong in another way', [found('C-1', 'vacuous')], ['f-v1/C-1']],
    ['is of another contract', [found('C-1', 'false', 'f(x) ≥ 0', { contract: 'g-v1' })], ['g-v1/C-1']],
  ])('asks for the removal of an entry whose finding %s', (_name, now, unknown) => {
    const entries = entriesOf([found('C-1', 'false')]);
    const report = compareWithBaseline(now, entries, 'b.yaml');
    expect(report).toMatchObject({ accepted: [], unknown, gone: [{ claim: 'C-1', owner: 'ada', line: 3 }] });
  });

  it('does not hide a contradiction whose other side has changed', () => {
    const entries = entriesOf([found('f', 'contradicts', 'f(x) = x', { against: 'f(x) = 2' })]);
    const now = [found('f', 'contradicts', 'f(x) = x', { against: 'f(x) = 3' })];
    expect(compareWithBaseline(now, entries, 'b.yaml')).toMatchObject({ accepted: [], unknown: ['f-v1/f'] });
  });
});

const entry = 'contract: f-v1, claim: C-1, kind: "false", text: "sha256:0"';
const file = (...rows: readonly string[]): string =>
  ['schema: pv.baseline/1', 'findings:', ...rows.map((row) => `  - ${row}`), ''].join('\n');

describe('a baseline that cannot be used', () => {
  it.each([
    ['no owner', file(`{ ${entry}, reason: known }`), 'this entry has no `owner`', 3],
    ['an empty owner', file(`{ ${entry}, owner: " ", reason: known }`), 'this entry has no `owner`', 3],
    [
      'an owner that nobody sees',
      file(`{ ${entry}, owner: "\\u200b", reason: known }`),
      'this entry has no `owner`',
      3,
    ],
    ['a reason without a word', file(`{ ${entry}, owner: ada, reason: "." }`), 'this entry has no `reason`', 3],
    ['no reason', file(`{ ${entry}, owner: ada }`), 'this entry has no `reason`', 3],
    ['an unknown key', file(`{ ${entry}, owner: ada, reason: known, expires: 1 }`), "the key 'expires' is not read", 3],
    ['a near key', file(`{ ${entry}, ownr: ada, reason: known }`), "the key 'ownr' is not read", 3],
    [
      'no kind',
      file('{ contract: f-v1, claim: C-1, kind: held, text: a, owner: b, reason: c }'),
      "'held' is not a kind",
      3,
    ],
    [
      'a repetition',
      file(...Array(2).fill(`{ ${entry}, owner: ada, reason: known }`)),
      'f-v1/C-1 is accepted twice',
      4,
    ],
    ['a row of words', file('f-v1'), 'an entry must be a mapping', 3],
    ['no list', 'schema: pv.baseline/1\nfindings: none\n', '`findings` must be a list', 2],
    ['nothing', 'schema: pv.baseline/1\n', '`findings` must be a list', 1],
    ['another file', 'metadata: {}\nfindings: []\n', 'this file is not a baseline', 1],
    ['another key above', 'schema: pv.baseline/1\nfinding: []\nfindings: []\n', "the key 'finding' is not read", 2],
  ])('says where and why: %s', (_name, text, message, line) => {
    const { diagnostics } = read(text);
    expect(diagnostics.length).toBeGreaterThan(0);
    const found = diagnostics.find((one) => one.message.startsWith(message));
    expect(found, diagnostics.map((one) => one.message).join('\n')).toMatchObject({
      code: 'PV-8100',
      severity: 'error',
    });
    const before = text.slice(0, found?.span?.range.start ?? 0);
    expect(before.split('\n').length).toBe(line);
  });

  it.each([
    ['not YAML', 'findings: ['],
    ['empty', ''],
    [
      'an alias bomb',
      `a: &a [x, x, x, x, x, x, x, x]\n${'bcdefgh'
        .split('')
        .map(
          (k, i) =>
            `${k}: &${k} [${Array(9)
              .fill(`*${'abcdefg'[i] ?? 'a'}`)
              .join(', ')}]`,
        )
        .join('\n')}\n`,
    ],
    ['bytes', 'schema: pv.baseline/1\u0000'],
  ])('is an error: %s', (_name, text) => {
    expect(read(text).diagnostics.some(({ severity }) => severity === 'error')).toBe(true);
  });
});

describe('an accepted finding', () => {
  const judgedOf = async (formula: string, domain: string, claims: readonly string[] = ['f(x) ≤ 50']) =>
    (await adopted({ 'f-v1': contractOf(formula, domain, claims) })).judged;

  it.each([
    ['is accepted while nothing changes', 'f(x) = x^2', 'x ∈ ℝ, |x| ≤ 10', []],
    ['is another one once the formula has changed', 'f(x) = 1e6 + x^2', 'x ∈ ℝ, |x| ≤ 10', ['f-v1/C-1']],
    ['is another one once the domain has changed', 'f(x) = x^2', 'x ∈ ℝ, |x| ≤ 1000', ['f-v1/C-1']],
  ])('%s', async (_, formula, domain, unknown) => {
    const entries = entriesOf(await judgedOf('f(x) = x^2', 'x ∈ ℝ, |x| ≤ 10'));
    expect(entries).toHaveLength(1);
    const report = compareWithBaseline(await judgedOf(formula, domain), entries, 'b.yaml');
    expect(report).toMatchObject({ unknown });
    expect(report.gone).toHaveLength(unknown.length);
  });

  it('stays accepted where other statements change', async () => {
    const entries = entriesOf(await judgedOf('f(x) = x^2', 'x ∈ ℝ, |x| ≤ 10'));
    const judged = await judgedOf('f(x) = x^2', 'x ∈ ℝ, |x| ≤ 10', ['f(x) ≤ 50', 'f(x) ≥ 0']);
    expect(compareWithBaseline(judged, entries, 'b.yaml')).toMatchObject({ unknown: [], gone: [] });
  });
});
