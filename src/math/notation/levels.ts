import type { BinaryOperator, LogicOperator, RelationOperator } from './syntax.ts';

/** Binding powers, loosest first. The reader and the printers share them, so that they cannot disagree on parentheses. */
export const level = {
  equivalence: 10,
  implication: 12,
  disjunction: 14,
  conjunction: 16,
  negation: 18,
  choice: 19,
  relation: 20,
  conditional: 22,
  span: 30,
  set: 35,
  bits: 38,
  sum: 40,
  product: 50,
  attached: 55,
  sign: 60,
  power: 70,
  postfix: 80,
} as const;

/** Every relation, memberships included. */
export const relations: ReadonlySet<string> = new Set<RelationOperator>([
  '=',
  '≠',
  '<',
  '≤',
  '>',
  '≥',
  '≈',
  '≡',
  '∈',
  '∉',
  '⊆',
  '⊂',
  '⊇',
  '⊃',
  '∝',
  '~',
  '≪',
  '≫',
  ':=',
]);
/** Relations between an element or a set and a set. */
export const memberships: ReadonlySet<string> = new Set<RelationOperator>(['∈', '∉', '⊆', '⊂', '⊇', '⊃', '~']);

/** The binding power of each connective. */
export const logicLevels: ReadonlyMap<string, number> = new Map<LogicOperator, number>([
  ['⟺', level.equivalence],
  ['⟹', level.implication],
  ['∨', level.disjunction],
  ['⊕', level.disjunction],
  ['∧', level.conjunction],
]);

/** The binding power of each operator on values. */
export const binaryLevels: ReadonlyMap<string, number> = new Map<BinaryOperator, number>([
  ['∪', level.set],
  ['∩', level.set],
  ['\\', level.set],
  ['|', level.bits],
  ['&', level.bits],
  ['<<', level.bits],
  ['>>', level.bits],
  ['xor-bits', level.bits],
  ['+', level.sum],
  ['-', level.sum],
  ['±', level.sum],
  ['++', level.sum],
  ['·', level.product],
  ['×', level.product],
  ['/', level.product],
  ['//', level.product],
  ['mod', level.product],
  ['⊙', level.product],
  ['⊗', level.product],
  ['∘', level.product],
  ['@', level.product],
  ['^', level.power],
]);

/** Whether a symbol is a relation. */
export const isRelation = (text: string): text is RelationOperator => relations.has(text);
/** Whether a symbol is a connective. */
export const isLogic = (text: string): text is LogicOperator => logicLevels.has(text);
/** Whether a symbol is an operator on values. */
export const isBinary = (text: string): text is BinaryOperator => binaryLevels.has(text);

/** `a < b` as `b > a`, for relations that can be read from right to left. */
export const flippedRelations: Partial<Readonly<Record<RelationOperator, RelationOperator>>> = {
  '<': '>',
  '≤': '≥',
  '>': '<',
  '≥': '≤',
  '=': '=',
  '≠': '≠',
};
