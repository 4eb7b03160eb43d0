/**
 * Holds src/report/html/claim-row.ts, src/report/html/contract-card.ts, src/report/html/equation-math.ts,
 * src/report/html/graph-layout.ts, src/report/html/graph-section.ts, src/report/html/markup.ts, src/report/html/page.ts,
 * src/report/html/script.ts, src/report/html/style.ts.
 */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadMath } from '../../src/report/html/equation-math.ts';
import { layOut, nodeHeight } from '../../src/report/html/graph-layout.ts';
import { safe, trusted } from '../../src/report/html/markup.ts';
import { formatHtml } from '../../src/report/html/page.ts';
import { graphOf } from '../../src/report/graph-nodes.ts';
import {
  allGreen,
  claimReport,
  contractReport,
  everyVerdict,
  hostileText,
  largeReport,
  nothing,
  reportOf,
} from './sample-reports.ts';

describe('markup', () => {
  test('escapes what is interpolated, in content and in attributes, and keeps line breaks', () => {
    expect(safe`<a title="${'"<&\''}">${'<b>\n'}</a>`.markup).toBe('<a title="&quot;&lt;&amp;&#39;">&lt;b&gt;\n</a>');
  });

  test('places markup and lists as they are, and nothing for null and false', () => {
    expect(safe`${[safe`<i>${1}</i>`, 'x&y']}${null}${false}${trusted('<hr>')}`.markup).toBe('<i>1</i>x&amp;y<hr>');
  });

  test('no text can open a tag or end an attribute', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        (text) => void expect(safe`${text}`.markup.replace(/&(?:lt|gt|quot|amp|#39);/g, '')).not.toMatch(/[<>"'&]/),
      ),
    );
  });
});

describe('the page', () => {
  test('150 contracts fit into 1 MB', async () => {
    expect(Buffer.byteLength(await formatHtml(largeReport(150)))).toBeLessThan(1_000_000);
  });

  test('requests nothing from outside', async () => {
    const page = await formatHtml(everyVerdict);
    expect(page).not.toMatch(/https?:|\/\/[a-z]|@import|url\((?!#arrow\))|<link(?! rel="icon" href="data:,")/);
    expect(page).toContain('default-src &#39;none&#39;;');
  });

  test('allows exactly its own script', async () => {
    const page = await formatHtml(everyVerdict);
    const [, script = ''] = /<script>([^]*?)<\/script>/.exec(page) ?? [];
    expect(script).toContain('use strict');
    expect(page).toContain(`script-src &#39;sha256-${createHash('sha256').update(script).digest('base64')}&#39;;`);
    expect(page.match(/<script/g)).toHaveLength(1);
  });

  test('hostile text stays text', async () => {
    const page = await formatHtml(everyVerdict);
    expect(hostileText).toContain('</script><img');
    expect(page).not.toMatch(/<img|onerror=alert\(1\)>|<\/script><|javascript:alert\(1\)[^<]*"[ >]/);
    expect(page).toContain('a&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;');
  });

  test('the worst contracts come first', async () => {
    const order = [...(await formatHtml(everyVerdict)).matchAll(/<article id="\w+" class="card v-(\w+)"/g)].map(
      ([, verdict]) => verdict,
    );
    expect(order).toEqual(['falsified', 'falsified', 'undetermined', 'tested']);
  });

  test('an empty report is a page that says so', async () => {
    const page = await formatHtml(nothing);
    expect(page).toContain('nothing was verified');
    expect(page).not.toContain('<svg');
  });

  test('huge values are cut', async () => {
    const text = '1, '.repeat(100_000);
    const input = { sizes: {}, values: { x: { hex: '', text } } };
    const counterexample = { input, explanation: text, shrinks: 0, outputs: [text] };
    const report = reportOf([contractReport('big', [claimReport({ verdict: 'falsified', counterexample })])]);
    expect((await formatHtml(report)).length).toBeLessThan(40_000);
  });
});

describe('equations', () => {
  test('become MathML', async () => {
    const math = await loadMath();
    expect(math('\\frac{a}{b}')?.markup).toMatch(/^<math.*<mfrac>.*<\/math>$/);
  });

  test.each([
    '\\href{javascript:alert(1)}{x}',
    '\\undefined',
    '{',
    '\\includegraphics{x}',
    'x'.repeat(5_000),
    '\\def\\a{\\a\\a}\\a',
    '{'.repeat(3_000),
  ])('%s is left as text', async (latex) => {
    expect((await loadMath())(latex)).toBeNull();
  });

  test('whatever the LaTeX, no element beyond MathML and no handler comes out', async () => {
    const math = await loadMath();
    const piece = fc.constantFrom(
      '\\text{',
      '}',
      '<script>',
      '"',
      '\\class{a"b}',
      '\\frac',
      '{x}',
      '\\htmlId{a}{b}',
      '&',
      '$',
      '\\style{color:red}{x}',
      'x',
      '^',
      '_',
      '\\color{red}',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const markup = math(pieces.join(''))?.markup ?? '';
        expect(markup).not.toMatch(/<(?!\/?(?:math|m[a-z]+|semantics|annotation)[ >/])|\son[a-z]+=|href=/);
      }),
      { numRuns: 500 },
    );
  });
});

describe('the layout', () => {
  test('foundations are left of what rests on them, and no two contracts overlap', async () => {
    const { nodes, edges } = graphOf(largeReport(60));
    const layout = await layOut(nodes, edges);
    const at = new Map(layout?.nodes.map((placed) => [placed.node.key, placed]));
    expect(at.size).toBe(nodes.length);
    for (const { from, to } of edges) expect(at.get(to.key)?.x).toBeLessThan(at.get(from.key)?.x ?? 0);
    const placed = [...at.values()];
    for (const a of placed) {
      for (const b of placed) {
        if (a !== b)
          expect(Math.abs(a.x - b.x) >= (a.width + b.width) / 2 || Math.abs(a.y - b.y) >= nodeHeight).toBe(true);
      }
    }
  });

  test('too large a graph is named, not drawn', async () => {
    const chain = Array.from({ length: 1_600 }, (_, i) =>
      contractReport(`c${i}`, [], { dependsOn: i > 0 ? [`c${i - 1}`] : [] }),
    );
    const page = await formatHtml(reportOf(chain));
    expect(page).toContain('1600 contracts with 1599 dependencies are too many to draw');
    expect(page).not.toContain('<svg');
  });

  test('a cycle is drawn too', async () => {
    const page = await formatHtml(
      reportOf([contractReport('a', [], { dependsOn: ['b'] }), contractReport('b', [], { dependsOn: ['a'] })]),
    );
    expect(page.match(/class="edge"/g)).toHaveLength(2);
    expect(allGreen.edges).toHaveLength(1);
  });
});
