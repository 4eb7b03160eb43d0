import {
  called,
  infix,
  prefix,
  unmodelled,
  type ConcatRow,
  type LengthRow,
  type LogicRow,
  type Notation,
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

export const strings = {
  'string-length': {
    kind: 'length',
    arguments: ['string'],
    ...unmodelled,
    text: called('len'),
    latex: called('\\operatorname{len}'),
    meaning: (a) => a.length,
    javascript: (a) => `${a}.length`,
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
} as const satisfies Record<string, LengthRow | ConcatRow>;
