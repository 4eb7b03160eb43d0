import { codePointAt, codePointCount, utf8At, utf8Length } from '../../numeric/text-units.ts';
import {
  called,
  infix,
  prefix,
  unmodelled,
  type ConcatRow,
  type LengthRow,
  type LogicRow,
  type Notation,
  type UnitRow,
} from './row.ts';

function connective(
  text: Notation,
  latex: Notation,
  meaning: LogicRow['meaning'],
  javascript: LogicRow['javascript'],
): LogicRow {
  return { kind: 'logic', arguments: ['boolean', 'boolean'], ...unmodelled, text, latex, meaning, javascript };
}

/** Connectives. Terms are pure and total, so evaluating both sides or one is the same. */
export const logic = {
  and: connective(
    infix('∧', 4),
    infix('\\land', 4),
    (a, b) => a && b,
    (a, b) => `(${a} && ${b})`,
  ),
  or: connective(
    infix('∨', 3),
    infix('\\lor', 3),
    (a, b) => a || b,
    (a, b) => `(${a} || ${b})`,
  ),
  not: {
    ...connective(
      prefix('¬', 5),
      prefix('\\lnot', 5),
      (a) => !a,
      (a) => `(!${a})`,
    ),
    arguments: ['boolean'],
  },
  implies: connective(
    infix('⟹', 2),
    infix('\\implies', 2),
    (a, b) => !a || b,
    (a, b) => `(!${a} || ${b})`,
  ),
  iff: connective(
    infix('⟺', 1),
    infix('\\iff', 1),
    (a, b) => a === b,
    (a, b) => `(${a} === ${b})`,
  ),
  xor: connective(
    infix('⊕', 3),
    infix('\\oplus', 3),
    (a, b) => a !== b,
    (a, b) => `(${a} !== ${b})`,
  ),
} as const satisfies Record<string, LogicRow>;

/** Rows of functions of strings. */
export const strings = {
  'string-length': {
    kind: 'length',
    arguments: ['string'],
    ...unmodelled,
    text: called('len'),
    latex: called('\\operatorname{len}'),
    meaning: codePointCount,
    javascript: (a) => `m.codePointCount(${a})`,
  },
  'code-point-at': {
    kind: 'unit',
    arguments: ['string', 'number'],
    ...unmodelled,
    text: called('code_point_at'),
    latex: called('\\operatorname{codepoint}'),
    meaning: codePointAt,
    javascript: (a, at) => `m.codePointAt(${a}, ${at})`,
  },
  'utf8-length': {
    kind: 'length',
    arguments: ['string'],
    ...unmodelled,
    text: called('utf8_length'),
    latex: called('\\operatorname{utf8length}'),
    meaning: utf8Length,
    javascript: (a) => `m.utf8Length(${a})`,
  },
  'utf8-at': {
    kind: 'unit',
    arguments: ['string', 'number'],
    ...unmodelled,
    text: called('utf8_at'),
    latex: called('\\operatorname{utf8}'),
    meaning: utf8At,
    javascript: (a, at) => `m.utf8At(${a}, ${at})`,
  },
  'string-concat': {
    kind: 'concat',
    arguments: ['string', 'string'],
    ...unmodelled,
    text: infix('++', 7),
    latex: infix('\\mathbin{+\\!\\!+}', 7),
    meaning: (a, b) => a + b,
    javascript: (a, b) => `(${a} + ${b})`,
  },
} as const satisfies Record<string, LengthRow | UnitRow | ConcatRow>;
