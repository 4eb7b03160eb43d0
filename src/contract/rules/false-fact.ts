import { diagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import { claimedLinks, type Link } from '../exact/facts.ts';
import { equalAsWritten, groundValue, roundedToZero, towardZero } from '../exact/ground-value.ts';
import { compareRational, type Rational } from '../../numeric/rational.ts';
import { printRational } from '../exact/print-rational.ts';
import { statedTolerance } from '../../math/notation/stated-tolerance.ts';
import { ambiguousScale } from '../../math/notation/ambiguous-scale.ts';
import type { FormalText } from '../contract.ts';
import { formalFields, spanWithin } from '../formal-fields.ts';
import type { ContractRule } from './rule.ts';

/** Statements about numbers alone (`4096 / 32 = 128`) must be true, whatever field they are in. */
export const falseFact: ContractRule = {
  name: 'false-fact',
  check: (contract) =>
    formalFields(contract).flatMap((field) =>
      field.text.notation.prose.some(({ text }) => statedTolerance(text) !== null)
        ? []
        : field.text.notation.statements.flatMap((statement) =>
            claimedLinks(statement).flatMap((link) => judge(link, field.text) ?? []),
          ),
    ),
};

function judge(link: Link, text: FormalText): Diagnostic | null {
  const left = groundValue(link.left);
  const right = groundValue(link.right);
  if (!left || !right || holds(text.text, link, left, right) !== false) return null;
  const range = { start: link.left.range.start, end: link.right.range.end };
  // `64K = 65536` is true where K is 1024.
  if (ambiguousScale(text.text.slice(range.start, range.end)) !== null) return null;
  const span = spanWithin(text, range);
  const [a, b] = [groundValue(link.left, towardZero), groundValue(link.right, towardZero)];
  const otherwise = a && b && holds(text.text, link, a, b) === true ? `; it holds ${roundedToZero}` : '';
  return diagnostic(
    'PV-3018',
    span,
    `This is false: the left side is ${printRational(left)}, the right side ${printRational(right)}${otherwise}`,
    {
      hint: 'Correct the numbers, or name the quantities that they stand for.',
    },
  );
}

/** Null for relations that exact arithmetic does not settle (≈, ∈, …), and for ≡, after which `(mod m)` may follow. */
function holds(text: string, link: Link, left: Rational, right: Rational): boolean | null {
  const order = compareRational(left, right);
  switch (link.operator) {
    case '=':
      return equalAsWritten(text, link.left, link.right, left, right);
    case '≠':
      return order !== 0;
    case '<':
      return order < 0;
    case '≤':
      return order <= 0;
    case '>':
      return order > 0;
    case '≥':
      return order >= 0;
    default:
      return null;
  }
}
