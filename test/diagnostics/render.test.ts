/** Holds src/diagnostics/diagnostic.ts, src/diagnostics/source.ts. */
import { describe, expect, it } from 'vitest';
import { diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { diagnosticToJson, placeOf, renderDiagnostic, type Palette } from '../../src/diagnostics/render.ts';
import type { Span } from '../../src/diagnostics/source.ts';

function spanOf(text: string, piece: string, path = 'a.yaml'): Span {
  const start = text.indexOf(piece);
  return { source: { path, text }, range: { start, end: start + piece.length } };
}

const frame = (span: Span | null, extras = {}): readonly string[] =>
  renderDiagnostic(diagnostic('PV-2004', span, 'It is wrong', extras), { color: null }).split('\n');

describe('a frame', () => {
  it('shows code, place, line, caret, hint and where to read more', () => {
    expect(frame(spanOf('a: 1\n  b: monotonicty\n', 'monotonicty'), { hint: "Did you mean 'monotonicity'?" })).toEqual([
      'error[PV-2004]: It is wrong',
      ' --> a.yaml:2:6',
      '  |',
      '2 |   b: monotonicty',
      '  |      ^^^^^^^^^^^',
      "  = help: Did you mean 'monotonicity'?",
      '  = more: pv explain PV-2004',
    ]);
  });

  it('shows related places of the same file and of others', () => {
    const text = 'first\nsecond\n';
    const related = [
      { message: 'here too', span: spanOf(text, 'first') },
      { message: 'and there', span: spanOf('x\ny\n', 'y', 'b.yaml') },
    ];
    expect(frame(spanOf(text, 'second'), { related })).toEqual([
      'error[PV-2004]: It is wrong',
      ' --> a.yaml:2:1',
      '  |',
      '2 | second',
      '  | ^^^^^^',
      '  |',
      '1 | first',
      '  | ----- here too',
      ' ::: b.yaml:2:1',
      '  |',
      '2 | y',
      '  | - and there',
      '  = more: pv explain PV-2004',
    ]);
  });

  it('without a place names the subject', () => {
    expect(frame(null, { subject: 'missing.yaml' })).toEqual([
      'error[PV-2004]: It is wrong',
      ' --> missing.yaml',
      '  = more: pv explain PV-2004',
    ]);
  });

  it.each([
    ['wide characters', 'k: 漢字 x', 'x', '  |         ^'],
    ['emoji', 'k: \u{1F600} x', 'x', '  |       ^'],
    ['combining marks', 'k: e\u0301 x', 'x', '  |      ^'],
    ['mathematics', 'k: ‖σ(x)‖ ∈ ℝ⁺ x', '∈', '  |           ^'],
    ['tabs', 'k:\tx', 'x', '  |       ^'],
  ])('aligns the caret under %s', (_, text, piece, underline) => {
    expect(frame(spanOf(text, piece))[4]).toBe(underline);
  });

  it('counts columns in characters', () => {
    expect(placeOf(spanOf('\u{1F600}x', 'x'))).toBe('a.yaml:1:2');
  });

  it('underlines the first line of a place with several', () => {
    expect(frame(spanOf('a: 1\nb: 2\nc: 3', 'a: 1\nb: 2'))[4]).toBe('  | ^^^^ …');
  });

  it('cuts long lines around the caret', () => {
    const text = `k: ${'x'.repeat(500)}HERE${'y'.repeat(5_000_000)}`;
    const [, , , line = '', underline = ''] = frame(spanOf(text, 'HERE'));
    expect(line.length).toBeLessThan(140);
    expect(line).toMatch(/^1 \| …x+HEREy+…$/);
    expect(line.slice(underline.indexOf('^'), underline.lastIndexOf('^') + 1)).toBe('HERE');
  });

  it('lets no text of a file steer the terminal', () => {
    const text = 'k: \u001b[2J\u202Eevil\u0007';
    const out = renderDiagnostic(
      diagnostic('PV-2004', spanOf(text, 'evil'), `message \u001b[31m`, { hint: 'hint \u009b' }),
      { color: null },
    );
    expect(out).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E]/);
    expect(out).toContain('␛[2J');
  });

  it.each([0, 3, 99])('survives places at or past the end (%i)', (offset) => {
    const span = { source: { path: 'a', text: 'abc' }, range: { start: offset, end: offset } };
    expect(renderDiagnostic(diagnostic('PV-2004', span, 'm'), { color: null })).toContain('^');
  });

  it('is the same with a palette, colours aside', () => {
    const mark =
      (open: string): ((text: string) => string) =>
      (text) =>
        `<${open}>${text}</>`;
    const color: Palette = {
      error: mark('e'),
      warning: mark('w'),
      note: mark('n'),
      strong: mark('s'),
      faint: mark('f'),
    };
    const finding = diagnostic('PV-2004', spanOf('a: b', 'b'), 'm', { hint: 'h' });
    const painted = renderDiagnostic(finding, { color });
    expect(painted).toContain('<e>error[PV-2004]</>');
    expect(painted.replace(/<\/?\w?>/g, '')).toBe(renderDiagnostic(finding, { color: null }));
  });
});

describe('as JSON', () => {
  it('has stable names and 1-based positions', () => {
    const text = 'a: 1\n  b: 2\n';
    expect(
      diagnosticToJson(
        diagnostic('PV-2004', spanOf(text, 'b'), 'm', {
          hint: 'h',
          related: [{ message: 'r', span: spanOf(text, 'a') }],
        }),
      ),
    ).toEqual({
      code: 'PV-2004',
      severity: 'error',
      message: 'm',
      hint: 'h',
      path: 'a.yaml',
      start: { line: 2, column: 3 },
      end: { line: 2, column: 4 },
      related: [{ message: 'r', path: 'a.yaml', start: { line: 1, column: 1 }, end: { line: 1, column: 2 } }],
    });
  });

  it('has no place when there is none', () => {
    expect(diagnosticToJson(diagnostic('PV-2004', null, 'm', { subject: 's' }))).toMatchObject({
      path: 's',
      start: null,
      end: null,
      hint: null,
    });
  });
});
