/** Holds src/report/dot.ts, src/report/graph-nodes.ts, src/report/mermaid.ts, src/report/verdict-color.ts. */
import { instance } from '@viz-js/viz';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verdicts } from '../../src/evidence/verdict.ts';
import { formatDot } from '../../src/report/dot.ts';
import { formatMermaid } from '../../src/report/mermaid.ts';
import { darkColors, lightColors } from '../../src/report/verdict-color.ts';
import { verdictMarks } from '../../src/report/verdict-mark.ts';
import {
  allGreen,
  claimReport,
  contractReport,
  everyVerdict,
  largeReport,
  nothing,
  reportOf,
  samples,
} from './sample-reports.ts';

describe('formatMermaid', () => {
  test('draws the edge from the contract to what it rests on, foundations on the left', () => {
    expect(formatMermaid(allGreen)).toContain(
      'flowchart RL\n  n0["✓ softmax-kernel-v1<br/>tested · L2<br/>3 of 3 claims"]:::tested',
    );
    expect(formatMermaid(allGreen)).toContain('n1 --> n0');
  });

  test('names missing contracts and draws them apart', () => {
    expect(formatMermaid(everyVerdict)).toMatch(/n4\["rope-kernel-v1<br\/>not read"\]:::missing/);
    expect(formatMermaid(everyVerdict)).toContain('n1 -.-> n4');
  });

  test('no user text can leave its label', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (id) => {
        const label = /n0\["(.*)"\]:::/.exec(formatMermaid(reportOf([contractReport(id, [])])))?.[1];
        const words = label?.replaceAll('<br/>', '').replace(/#\d+;/g, '') ?? '"';
        expect(words).not.toMatch(/["#<>&`%{}[\]()|;:\n\r\\]/);
      }),
      { numRuns: 500 },
    );
  });

  test('says how to raise the limits that it passes', () => {
    expect(formatMermaid(largeReport(150))).not.toContain('more than Mermaid');
    const many = formatMermaid(largeReport(1000));
    const edges = many.match(/^ {2}n\d+ -.*> n\d+$/gm)?.length ?? 0;
    expect(edges).toBeGreaterThan(500);
    expect(many).toContain(`mermaid.initialize({ maxEdges: ${edges} })`);
    expect(many).toContain('maxTextSize');
  });

  test('of two contracts of one name the weaker is drawn, and keys stay distinct', () => {
    const twice = reportOf([
      contractReport('a', [claimReport()]),
      contractReport('a', [claimReport({ verdict: 'stale' })]),
      contractReport('b', []),
    ]);
    expect([...formatMermaid(twice).matchAll(/^ {2}(n\d)\["(\S+) (\w)/gm)].map(([, ...parts]) => parts)).toEqual([
      ['n0', '↻', 'a'],
      ['n1', '#63;', 'b'],
    ]);
  });

  test('an empty report still draws something', () => {
    expect(formatMermaid(nothing)).toContain('nothing was verified');
  });
});

describe('formatDot', () => {
  test.each([...samples, ['large', largeReport(150)] as const])(
    '%s: Graphviz lays it out without a complaint',
    async (_, report) => {
      const rendered = (await instance()).render(formatDot(report), { format: 'svg' });
      // The built-in font metrics know ASCII only; Graphviz says so and goes on.
      expect(
        rendered.errors.filter(({ message }) => !message.includes('no value for width of non-ASCII character')),
      ).toEqual([]);
      expect(rendered.status).toBe('success');
      expect(rendered.output).toContain('<svg');
    },
  );

  test('any id arrives in the drawing as it is', async () => {
    const viz = await instance();
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom('a', '"', '\\', '&', '<', '>', 'N', 'n', 'l', '{', '|', 'é', '注', ';', '#'),
          minLength: 1,
          maxLength: 12,
        }),
        (id) => {
          const rendered = viz.renderJSON(formatDot(reportOf([contractReport(id, [])])));
          expect(JSON.stringify(rendered)).toContain('undetermined');
          const svg = viz.renderString(formatDot(reportOf([contractReport(id, [])])), { format: 'svg' });
          const shown = /<text[^>]*>\? (.*?)<\/text>/.exec(svg)?.[1] ?? '';
          expect(unescapeXml(shown)).toBe(id);
        },
      ),
      { numRuns: 100 },
    );
  });
});

function unescapeXml(text: string): string {
  return text
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(/&#x([0-9a-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

describe('the signs of verdicts', () => {
  test('every verdict has its own symbol, so that colour is never the only sign', () => {
    expect(new Set(verdicts.map((verdict) => verdictMarks[verdict].symbol)).size).toBe(verdicts.length);
  });

  test.each(verdicts)('%s: text is readable on its ground, light and dark (WCAG AA)', (verdict) => {
    for (const { ink, fill } of [lightColors[verdict], darkColors[verdict]])
      expect(contrast(ink, fill)).toBeGreaterThanOrEqual(4.5);
  });
});

/** WCAG 2.2, relative luminance. */
function contrast(a: string, b: string): number {
  const luminance = (color: string): number => {
    const [r = 0, g = 0, blue = 0] = [1, 3, 5]
      .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
      .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * blue;
  };
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}
