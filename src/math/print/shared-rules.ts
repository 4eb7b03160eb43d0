/**
 * What the formats of expressions have in common: operators between operands, brackets around lists. Each format brings
 * its signs and the rules that are its own.
 */
import { level, logicLevels } from '../notation/levels.ts';
import type { Binder, Expression, LogicOperator, RelationOperator } from '../notation/syntax.ts';
import type { NodeOf, Print, Rules } from './print.ts';

type Brackets = readonly [open: string, close: string];

/** The symbols in which formats differ. */
export interface Signs {
  readonly infinity: string;
  readonly emptySet: string;
  readonly relation: (operator: RelationOperator) => string;
  readonly logic: (operator: LogicOperator) => string;
  readonly quantifiers: Readonly<Record<NodeOf<'quantified'>['quantifier'], string>>;
  /** Between a quantifier's binders and its body. */
  readonly colon: string;
  readonly not: string;
  readonly arrow: string;
  readonly ellipsis: string;
  readonly span: { readonly open: string; readonly closed: string };
  readonly floor: Brackets;
  readonly ceiling: Brackets;
  readonly tuple: Brackets;
  readonly list: Brackets;
  readonly innerProduct: Brackets;
  readonly interval: {
    readonly open: Brackets;
    readonly closed: Brackets;
  };
  readonly name: (text: string) => string;
}

type SharedKind =
  | 'infinity'
  | 'empty-set'
  | 'name'
  | 'logic'
  | 'negate'
  | 'not'
  | 'factorial'
  | 'quantified'
  | 'span'
  | 'function-type'
  | 'floor'
  | 'ceiling'
  | 'tuple'
  | 'list'
  | 'interval'
  | 'inner-product';

/** The rules of a format for nodes that all formats print alike. */
export function sharedRules(print: Print, signs: Signs): Rules<SharedKind> {
  const list = (items: readonly Expression[]): string => items.map((e) => inBrackets(e, print)).join(', ');
  const within = ([open, close]: Brackets, inside: string): string => `${open}${inside}${close}`;
  return {
    infinity: () => signs.infinity,
    'empty-set': () => signs.emptySet,
    name: (e) => signs.name(e.text),
    logic: (e, tail) => {
      const power = logicLevels.get(e.operator) ?? level.equivalence;
      const rightward = e.operator === '⟹';
      const left = print(e.left, rightward ? power + 1 : power, false);
      return `${left} ${signs.logic(e.operator)} ${print(e.right, rightward ? power : power + 1, tail)}`;
    },
    negate: (e, tail) => `-${print(e.operand, level.sign, tail)}`,
    not: (e) => `${signs.not}${print(e.operand, level.postfix, false)}`,
    // `n!!` is not the factorial of n!.
    factorial: (e) => `${print(e.operand, level.postfix + 1, false)}!`,
    quantified: (e, tail) => {
      const binders = e.binders.map((b) => printBinder(b, print, signs)).join(', ');
      return `${signs.quantifiers[e.quantifier]} ${binders}${signs.colon} ${print(e.body, level.equivalence, tail)}`;
    },
    span: (e) => {
      const dots = e.inclusive ? signs.span.closed : signs.span.open;
      return `${printSide(e.from, print)}${dots}${printSide(e.to, print)}`;
    },
    'function-type': (e, tail) =>
      `${print(e.from, level.implication + 1, false)} ${signs.arrow} ${print(e.to, level.implication, tail)}`,
    floor: (e) => within(signs.floor, list([e.operand])),
    ceiling: (e) => within(signs.ceiling, list([e.operand])),
    tuple: (e) => within(signs.tuple, list(e.items)),
    list: (e) =>
      within(
        signs.list,
        withEllipsis(
          e.items.map((item) => inBrackets(item, print)),
          e.ellipsis ? signs.ellipsis : null,
        ),
      ),
    interval: (e) => {
      const [open] = e.lowOpen ? signs.interval.open : signs.interval.closed;
      const [, close] = e.highOpen ? signs.interval.open : signs.interval.closed;
      return `${open}${list([e.low, e.high])}${close}`;
    },
    'inner-product': (e) => within(signs.innerProduct, list(e.items)),
  };
}

/** Where brackets keep everything else away. */
export function inBrackets(e: Expression, print: Print): string {
  return print(e, level.equivalence, true);
}

/** An end of a span or slice; nothing where it is left open. */
export function printSide(e: Expression | null, print: Print): string {
  return e ? print(e, level.span + 1, false) : '';
}

/** `i`, `i ∈ S`, `i < n`. */
export function printBinder(b: Binder, print: Print, { name, relation }: Pick<Signs, 'name' | 'relation'>): string {
  if (b.relation === null || b.bound === null) return name(b.name);
  return `${name(b.name)} ${relation(b.relation)} ${print(b.bound, level.relation + 1, false)}`;
}

/** `a ≤ b < c`; the last operand may be of a looser kind. */
export function printRelation(
  e: NodeOf<'relation'>,
  tail: boolean,
  print: Print,
  { relation }: Pick<Signs, 'relation'>,
  lastMinimum: number = level.relation + 1,
): string {
  const last = e.operands.length - 1;
  return e.operands
    .map((operand, i) => {
      const text = print(operand, i === last ? lastMinimum : level.relation + 1, tail && i === last);
      return i === 0 ? text : `${relation(e.operators[i - 1] ?? '=')} ${text}`;
    })
    .join(' ');
}

/** `a, b, …, c` with an ellipsis, which comes before the last item. */
export function withEllipsis(items: readonly string[], ellipsis: string | null): string {
  if (ellipsis === null) return items.join(', ');
  const before = items.length < 2 ? items : items.slice(0, -1);
  return [...before, ellipsis, ...items.slice(before.length)].join(', ');
}
