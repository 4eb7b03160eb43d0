import { diagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Span } from '../../diagnostics/source.ts';
import type { Contract, Located } from '../contract.ts';
import type { ContractRule } from './rule.ts';

/** Counts that the gate states ("All 7 falsification tests") and the summary's total of obligations are those of the file. */
export const wrongCount: ContractRule = {
  name: 'wrong-count',
  check: (contract) => {
    const texts = [contract.qaGate?.passCriteria ?? null, ...(contract.qaGate?.checks ?? [])].filter(
      (text) => text !== null,
    );
    return [...texts.flatMap((text) => judge(contract, text)), ...declaredTotal(contract)];
  },
};

const words = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen',
  'twenty',
];
const stated = new RegExp(
  `(?<!at least |at most |more than |fewer than |up to )\\b(\\d{1,4}|${words.slice(1).join('|')})(?:\\s+of\\s+the)?\\s+(falsification\\s+tests?|kani\\s+harness(?:es)?|harness(?:es)?|proof\\s+obligations?|obligations?|equations?)\\b`,
  'gi',
);

function judge(contract: Contract, text: Located<string>): readonly Diagnostic[] {
  return [...text.value.matchAll(stated)].flatMap((match) => {
    const claimed = numberOf(match[1] ?? '');
    const actual = actualCount(contract, match[2] ?? '');
    if (claimed === actual.count) return [];
    return [
      diagnostic(
        'PV-3012',
        within(text.span, match[0]),
        `The gate mentions ${match[0].replace(/\s+/g, ' ')}, but the contract has ${actual.count} ${actual.count === 1 ? actual.one : actual.many}`,
        {
          hint: `Write ${actual.count}, or leave the number out: pv counts.`,
        },
      ),
    ];
  });
}

function numberOf(word: string): number {
  const index = words.indexOf(word.toLowerCase());
  return index >= 0 ? index : Number(word);
}

function actualCount(
  contract: Contract,
  what: string,
): { readonly count: number; readonly one: string; readonly many: string } {
  const kind = what.toLowerCase();
  if (kind.includes('test'))
    return { count: contract.falsificationTests.length, one: 'falsification test', many: 'falsification tests' };
  if (kind.includes('harness'))
    return { count: contract.kaniHarnesses.length, one: 'Kani harness', many: 'Kani harnesses' };
  if (kind.includes('obligation'))
    return { count: contract.obligations.length, one: 'obligation', many: 'obligations' };
  return { count: contract.equations.length, one: 'equation', many: 'equations' };
}

function declaredTotal(contract: Contract): readonly Diagnostic[] {
  const key = 'verification_summary.total_obligations: ';
  const actual = contract.obligations.length;
  return contract.declarations
    .filter(({ value }) => value.startsWith(key) && Number(value.slice(key.length)) !== actual)
    .map(({ value, span }) =>
      diagnostic(
        'PV-3012',
        span,
        `The summary counts ${value.slice(key.length)} obligations, and the contract has ${actual}`,
        {
          hint: `Write ${actual}, or remove the summary: pv counts.`,
        },
      ),
    );
}

/** The piece of the text's place that holds `piece`; all of it when escapes or folding hide the piece. */
function within(span: Span, piece: string): Span {
  const at = span.source.text.slice(span.range.start, span.range.end).indexOf(piece);
  if (at < 0) return span;
  const start = span.range.start + at;
  return { source: span.source, range: { start, end: start + piece.length } };
}
