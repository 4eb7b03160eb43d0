/** Gallina text with its precedence, so that only the necessary parentheses are written. */

/** A piece of Gallina. */
export interface Text {
  readonly text: string;
  readonly level: number;
  /** Of a conjunction, its parts. */
  readonly conjuncts?: readonly Text[];
}

/** The levels of Rocq's own notations; smaller binds tighter. */
export const level = {
  atom: 0,
  application: 10,
  power: 30,
  opposite: 35,
  product: 40,
  sum: 50,
  relation: 70,
  negation: 75,
  conjunction: 80,
  disjunction: 85,
  equivalence: 95,
  arrow: 99,
  open: 200,
} as const;

/** Text that never needs parentheses. */
export const atom = (text: string): Text => ({ text, level: level.atom });

/** `inner`, in parentheses when it binds less tightly than `loosest`. */
export function fit({ text, level: own }: Text, loosest: number): string {
  return own <= loosest ? text : `(${text})`;
}

/** The application of `head`; `head` itself without arguments. */
export function apply(head: Text | string, ...args: readonly Text[]): Text {
  const applied = typeof head === 'string' ? atom(head) : head;
  if (args.length === 0) return applied;
  return {
    text: [fit(applied, level.application), ...args.map((arg) => fit(arg, level.atom))].join(' '),
    level: level.application,
  };
}

/** A left-associative infix operator. */
export function leftward(symbol: string, own: number, left: Text, right: Text): Text {
  return { text: `${fit(left, own)} ${symbol} ${fit(right, own - 1)}`, level: own };
}

/** A right-associative infix operator. */
export function rightward(symbol: string, own: number, left: Text, right: Text): Text {
  return { text: `${fit(left, own - 1)} ${symbol} ${fit(right, own)}`, level: own };
}

/** Both, in one row: `a /\ b /\ c`. */
export function conjunctionOf(a: Text, b: Text): Text {
  const conjuncts = [...(a.conjuncts ?? [a]), ...(b.conjuncts ?? [b])];
  return {
    text: conjuncts.map((part) => fit(part, level.conjunction - 1)).join(' /\\ '),
    level: level.conjunction,
    conjuncts,
  };
}

/** An infix relation, which does not associate. */
export function relation(symbol: string, left: Text, right: Text): Text {
  return {
    text: `${fit(left, level.relation - 1)} ${symbol} ${fit(right, level.relation - 1)}`,
    level: level.relation,
  };
}

/** `fun i j => body`. */
export function lambda(names: readonly string[], body: Text): Text {
  return names.length === 0 ? body : { text: `fun ${names.join(' ')} => ${fit(body, level.open)}`, level: level.open };
}

/** A text to be read in the scope `key` (`Z` of integers, `R` of real numbers), where another is the rule. */
export function inScope(key: 'R' | 'Z', inner: Text): Text {
  if (/^[A-Za-z_]\w*$/.test(inner.text)) return inner;
  const isClosed = /^(?:\d+|\([^()]*\))$/.test(inner.text);
  return atom(isClosed ? `${inner.text}%${key}` : `(${inner.text})%${key}`);
}
