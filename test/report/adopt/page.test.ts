/** Holds src/report/adopt/adoption.ts, src/report/adopt/page.ts, src/report/adopt/reason-groups.ts. */
import { describe, expect, it } from 'vitest';
import type { AdoptedStatement, Adoption, AdoptionWord } from '../../../src/report/adopt/adoption.ts';
import { formatAdoptionMarkdown } from '../../../src/report/adopt/markdown.ts';
import { adoptionPage } from '../../../src/report/adopt/page.ts';
import { reasonGroups } from '../../../src/report/adopt/reason-groups.ts';
import { formatAdoptionText } from '../../../src/report/adopt/text.ts';

const statement = (at: number, word: AdoptionWord, more: Partial<AdoptedStatement> = {}): AdoptedStatement => ({
  contract: 'c-v1',
  claim: `C-${at}`,
  source: 'obligation',
  word,
  property: 'p',
  formal: `f(x) ≥ ${at}`,
  file: 'some/where/c-v1.yaml',
  line: at,
  counterexample: null,
  reason: 'because',
  mend: null,
  ...more,
});

const report = (judged: readonly AdoptedStatement[], more: Partial<Adoption> = {}): Adoption => ({
  schema: 'pv.adoption/1',
  tool: { name: 'pv', version: '0.0.0' },
  contracts: 1,
  unread: [],
  equations: { run: 1, declared: 2 },
  obligations: { run: 3, declared: 4 },
  tests: { run: 5, declared: 6 },
  statements: { run: 7, declared: 8 },
  seed: 1,
  judged,
  variants: [],
  findings: [],
  baseline: null,
  ...more,
});

const many = (word: AdoptionWord, more: Partial<AdoptedStatement> = {}) =>
  Array.from({ length: 2_000 }, (_, at) => statement(at, word, { reason: `reason ${at}`, ...more }));

describe('the page of pv adopt', () => {
  it('begins with the verdict, and gives each section its number', () => {
    const { verdict, mark, sections } = adoptionPage(
      report([statement(1, 'false'), statement(2, 'vacuous'), statement(3, 'prose'), statement(4, 'held')]),
    );
    expect(verdict).toBe(
      '1 contract: 1 of 2 equations, 3 of 4 obligations, 5 of 6 tests and 7 of 8 other statements run; of the statements 1 is false, 1 is vacuous, 1 held on every input tried, 1 is prose.',
    );
    expect(mark).toBe('✗');
    expect(sections.map(({ heading }) => heading)).toEqual([
      'False over ℝ (1)',
      'Vacuous: no input meets the premise, or the claim cannot fail (1)',
      'Prose (1)',
    ]);
    expect(sections[0]?.items).toEqual([{ title: 'c-v1.yaml:1 C-1: f(x) ≥ 1', lines: ['because'] }]);
  });

  it('leaves out of the verdict the kinds of statements that the files do not have, and what happened to none', () => {
    const none = { run: 0, declared: 0 };
    const verdict = (judged: readonly AdoptedStatement[], more: Partial<Adoption>): string =>
      adoptionPage(report(judged, more)).verdict;
    const kernels = { equations: { run: 2, declared: 2 }, obligations: { run: 1, declared: 4 } };
    expect(verdict([statement(1, 'held')], { ...kernels, tests: none, statements: none })).toBe(
      '1 contract: 2 of 2 equations and 1 of 4 obligations run; of the statements 0 are false, 1 held on every input tried.',
    );
    // None of those that there are ran: that must stay.
    expect(verdict([statement(1, 'not-run')], { ...kernels, obligations: { run: 0, declared: 4 } })).toBe(
      '1 contract: 2 of 2 equations, 0 of 4 obligations, 5 of 6 tests and 7 of 8 other statements run; of the statements 0 are false, 0 held on every input tried.',
    );
    const unread = { contracts: 0, equations: none, obligations: none, tests: none, statements: none };
    expect(verdict([], { ...unread, unread: ['a.yaml: cannot be read'] })).toBe(
      '0 contracts and 1 file that cannot be read: no statement was judged.',
    );
  });

  it('counts what a patch rewrites, and what it could not', () => {
    const one = {
      contract: 'c-v1',
      kind: 'claim',
      file: 'some/where/c-v1.yaml',
      line: 7,
      was: 'a (b)',
      now: 'a',
    } as const;
    const page = (more: Partial<NonNullable<Adoption['patch']>>) =>
      adoptionPage(
        report([statement(1, 'prose')], {
          patch: { path: 'p', command: 'patch -p1 < p', rewritten: [], unlocked: 0, leftOut: 0, ...more },
        }),
      );
    const written = page({
      rewritten: [
        { ...one, id: 'C-1' },
        { ...one, id: 'f', kind: 'equation' },
        { ...one, id: 'f', kind: 'equation', line: 8 },
      ],
      unlocked: 3,
      leftOut: 2,
    });
    expect(written.sections.at(-1)).toEqual({
      heading: 'Rewritten in the patch (3)',
      items: ['7 C-1', '7 f', '8 f'].map((at) => ({ title: `c-v1.yaml:${at}: a (b)`, lines: ['is written a'] })),
    });
    expect(written.closing[1]).toBe(
      'p rewrites 1 equation and 1 statement; with it 3 more statements run. 2 rewritings that would make a statement wrong or leave it open were left out. Read its comments, and apply it: patch -p1 < p',
    );
    expect(written.closing[0]).toMatch(/ Paths are relative to some\/where\/\.$/u);
    expect(page({}).closing[1]).toBe('Nothing can be rewritten exactly, so p was not written.');
    expect(page({}).sections.map(({ heading }) => heading)).toEqual(['Prose (1)']);
  });

  it('says how many statements of a group it leaves out', () => {
    const judged = [1, 2, 3, 4, 5].map((at) => statement(at, 'prose', { reason: 'its text is prose' }));
    const [prose] = adoptionPage(report(judged)).sections;
    expect(prose?.items[0]?.lines).toEqual(['c-v1.yaml:1 C-1: f(x) ≥ 1', 'c-v1.yaml:2 C-2: f(x) ≥ 2', 'and 3 more']);
    const [two] = adoptionPage(report(judged.slice(0, 2))).sections;
    expect(two?.items[0]?.lines).toHaveLength(2);
  });

  it('separates what exact arithmetic left open and what overflows from what is true over ℝ', () => {
    const judged = [
      statement(1, 'false-in-float32'),
      statement(2, 'false-in-float32', { open: true }),
      statement(3, 'false-in-float32', { overflows: true, extreme: true }),
    ];
    const { verdict, sections } = adoptionPage(report(judged));
    expect(verdict).toContain(
      '1 is false in float arithmetic only, 1 is false in float arithmetic and open over ℝ, 1 overflows in float arithmetic, 0 held',
    );
    expect(sections.map(({ heading }) => heading)).toEqual([
      'True over ℝ as far as tried, and false in float arithmetic (1)',
      'False in float arithmetic, and open over ℝ (1)',
      'Overflow in float arithmetic: both sides are NaN, so that nothing is compared (1)',
    ]);
  });

  it('numbers statements, also where one item stands for several', () => {
    const judged = [
      ...[1, 2, 3].map((n) => statement(n, 'false-in-float32', { extreme: true })),
      ...[4, 5].map((n) => statement(n, 'not-run')),
      ...Array.from({ length: 7 }, (_, at) => statement(6 + at, 'prose', { reason: `reason ${at}` })),
    ];
    const sections = adoptionPage(report(judged)).sections.map(({ heading, items }) => [heading, items.length]);
    expect(sections).toEqual([
      ['False in float arithmetic, seen only with numbers beyond 10^±18 (3)', 1],
      ['Not run (2)', 1],
      ['Prose (7)', 7],
    ]);
    expect(adoptionPage(report(judged)).sections.at(-1)?.items.at(-1)?.title).toBe('1: 1 other reason');
  });

  it('begins with what fails: an entry of the baseline whose finding is gone', () => {
    const entry = { contract: 'c-v1', claim: 'C-9', word: 'false', owner: 'ada', reason: 'known', line: 3 } as const;
    const { verdict, mark, sections } = adoptionPage(
      report([statement(1, 'prose')], { baseline: { path: 'b.yaml', accepted: [], unknown: [], gone: [entry] } }),
    );
    expect(mark).toBe('✗');
    expect(verdict).toMatch(/1 is prose; the baseline accepts 0 findings\.$/u);
    expect(sections[0]?.heading).toBe('Must leave the baseline: the finding is gone (1)');
  });

  it('says once that what is broken is judged as far as it is understood', () => {
    const reason = '"for all" is prose; as far as it is understood, it is false';
    const { sections } = adoptionPage(report([statement(1, 'prose', { asRead: 'broken', reason })]));
    expect(sections[0]?.items[0]?.lines).toEqual(['"for all" is prose']);
  });

  it('says of what is broken in part whether only rounding breaks it', () => {
    const reason = '"for all" is prose; as far as it is understood, it is false-in-float32: over ℝ it holds there';
    const { sections } = adoptionPage(report([statement(1, 'prose', { asRead: 'broken', reason })]));
    expect(sections[0]?.items[0]?.lines).toEqual(['false in float32: over ℝ it holds there', '"for all" is prose']);
  });

  it('gives a finding of reading its place', () => {
    const found = {
      code: 'PV-3003',
      severity: 'error',
      message: 'KANI-1 refers to nothing',
      hint: null,
      path: 'a/c-v1.yaml',
      start: { line: 7, column: 1 },
      end: null,
      excerpt: [],
    } as const;
    const items = (n: number) =>
      adoptionPage(report([], { findings: Array.from({ length: n }, () => found) })).sections[0]?.items;
    expect(items(1)).toEqual([{ title: 'PV-3003: KANI-1 refers to nothing', lines: ['at a/c-v1.yaml:7'] }]);
    expect(items(2)?.[0]?.title).toBe('PV-3003, 2 times, such as: KANI-1 refers to nothing');
  });

  it('ticks only what ran as a whole, and fails where a file is unread', () => {
    const judged = [statement(1, 'held'), statement(2, 'not-run'), statement(3, 'prose')];
    const all = (declared: number) => ({ run: declared, declared });
    const ran = { equations: all(2), obligations: all(4), tests: all(6), statements: all(8) };
    for (const part of ['equations', 'obligations', 'tests', 'statements'])
      expect(adoptionPage(report(judged, { ...ran, [part]: { run: 1, declared: 2 } })).mark).toBe('?');
    expect(adoptionPage(report(judged)).mark).toBe('?');
    expect(adoptionPage(report(judged, ran)).mark).toBe('✓');
    expect(adoptionPage(report([statement(3, 'prose')], ran)).mark).toBe('?');
    expect(adoptionPage(report([], ran)).mark).toBe('?');
    expect(adoptionPage(report(judged, { ...ran, unread: ['x.yaml'] })).mark).toBe('✗');
  });

  it.each<AdoptionWord>(['false', 'contradicts', 'false-in-float32', 'false-in-float64', 'vacuous'])(
    'fails where a statement is %s',
    (word) => expect(adoptionPage(report([statement(1, word)])).mark).toBe('✗'),
  );

  it('stays a page, however much there is', () => {
    const judged = [
      ...many('false'),
      ...many('false-in-float32', { extreme: true }),
      ...many('not-run'),
      ...many('prose'),
    ];
    const text = formatAdoptionText(report(judged), { width: 100, paint: (_, shown) => shown });
    expect(text.split('\n').length).toBeLessThan(200);
    expect(text).toContain('and 1970 more: --format json has them all');
  });

  it('cannot be steered by what contracts say', () => {
    const hostile = statement(1, 'false', { formal: '<img src=x> \u001b[31m | `a` @all\n::error::x', claim: '**C**' });
    const text = formatAdoptionText(report([hostile]), { width: 100, paint: (_, shown) => shown });
    expect(text).not.toContain('\u001b');
    expect(text.split('\n').some((line) => line.startsWith('::'))).toBe(false);
    const markdown = formatAdoptionMarkdown(report([hostile]));
    expect(markdown).not.toContain('<img');
    expect(markdown).not.toContain('**C**');
  });
});

describe('reasons', () => {
  it('name what nothing declares, each name once and not all of many', () => {
    const kindOf = (...names: readonly string[]): string | undefined =>
      reasonGroups(names.map((name, at) => statement(at, 'not-run', { reason: `nothing declares ${name}` })))[0]?.kind;
    expect(kindOf('λ', 'λ')).toBe('they use λ, which nothing declares');
    expect(kindOf('a, b and c', 'd', 'e', 'f', 'g')).toBe(
      'they use names that nothing declares (a, b, c, d, e and 2 more)',
    );
  });

  it('are grouped by kind, the largest group first', () => {
    const reasons = [
      'nothing declares a',
      'f is not executable: nothing declares b and c_max',
      'nothing declares a; as far as it is understood, it held on 9 inputs',
      'g is not executable: its domain is notation only in part',
      'something else',
    ];
    const groups = reasonGroups(reasons.map((reason, at) => statement(at, 'not-run', { reason })));
    expect(groups.map(({ kind, statements }) => [kind, statements.length])).toEqual([
      ['they use names that nothing declares (a, b and c_max)', 3],
      ['something else', 1],
      ['the domain of their equation is words, in part or as a whole', 1],
    ]);
  });
});

describe('what holds in float arithmetic only', () => {
  it('is counted in the verdict and listed, with the reason', () => {
    const judged = [
      statement(1, 'held', { roundedOnly: true, reason: 'it is about rounded numbers' }),
      statement(2, 'held', { idleOf: 4 }),
    ];
    const { verdict, sections, mark } = adoptionPage(report(judged));
    expect(verdict).toContain(
      '2 held on every input tried (1 of them in float arithmetic only: over ℝ it is false; 1 of them for every wrong formula tried, too)',
    );
    expect(mark).not.toBe('✗');
    const listed = sections.find(
      ({ heading }) => heading === 'Hold in float arithmetic only: over ℝ they are false (1)',
    );
    expect(listed?.items).toMatchObject([{ lines: ['it is about rounded numbers'] }]);
  });
});
