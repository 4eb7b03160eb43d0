/**
 * Equations over collections that their domain describes: `G(S) = 1 - Σ_k p_k² where p_k = |S_k|/|S|` of `S = multiset of class labels`.
 *
 * A collection is a vector of its elements: |S| is their number, and of labels |S_k| is the number of those that are k.
 */
import { readNotation } from '../../../math/notation/read.ts';
import type { Expression, Statement } from '../../../math/notation/syntax.ts';
import type { Equation } from '../../contract.ts';
import { mapExpression } from '../context/map-expression.ts';
import { indexedName } from '../context/names.ts';
import { namesOf } from '../context/syntax-parts.ts';

const described =
  /(?<![\p{L}\p{N}_])(\p{L}\p{N}?)\s*=\s*(?:a\s+)?(?:multiset|set|list|bag|collection)\s+of\s+([\p{L}\s-]+)/u;
const labels = /\b(?:labels?|class(?:es)?|categories|ids|tokens|symbols)\b/u;
const numbers = /\b(?:real|values?|targets?|numbers?|measurements?|scores?)\b/u;

/** S and `class labels` of `S = multiset of class labels`; null of a domain that describes no collection. */
export function collectionIn(domain: string): { readonly name: string; readonly what: string } | null {
  const [, name, what] = described.exec(domain) ?? [];
  return name === undefined || what === undefined ? null : { name, what };
}

/** Such a collection as a vector of n elements; null if nothing says whether they are labels or numbers. */
export function declarationOf({ name, what }: { readonly name: string; readonly what: string }): string | null {
  if (labels.test(what)) return `K ∈ ℕ⁺, K ≤ 64, ${name} ∈ {0, ..., K-1}^n`;
  return numbers.test(what) ? `${name} ∈ ℝ^n` : null;
}

/** The equation over vectors, of at most 64 different labels; null if its domain describes no collection. */
export function withCollections(equation: Equation): Equation | null {
  const { formula, domain } = equation;
  const found = domain && collectionIn(domain.text);
  if (domain === null || found === null) return null;
  const { name, what } = found;
  const ofLabels = labels.test(what);
  const parts = formula.notation.statements.flatMap(({ body, definitions }) => [body, ...definitions]);
  const taken = parts.flatMap(namesOf);
  const declaration = declarationOf(found);
  if (declaration === null || taken.some((one) => one === 'n' || one === 'K')) return null;
  const change = changer(name, ofLabels, parts.flatMap(meansOf(name)));
  const changed = (statements: readonly Statement[]): readonly Statement[] =>
    statements.map((statement) => ({
      ...statement,
      body: change(statement.body),
      definitions: statement.definitions.map(change),
    }));
  const declared = readNotation(declaration, 'domain').statements;
  const { notation } = domain;
  return {
    ...equation,
    formula: { ...formula, notation: { ...formula.notation, statements: changed(formula.notation.statements) } },
    domain: { ...domain, notation: { ...notation, statements: [...declared, ...changed(notation.statements)] } },
  };
}

/** y of `ȳ = mean(S)`: what the mean is of has that name, too. */
const meansOf =
  (collection: string) =>
  (part: Expression): readonly string[] => {
    const [left, right] = part.kind === 'relation' && part.operators[0] === '=' ? part.operands : [];
    const [, letter] = (left?.kind === 'name' && /^(\p{L})\u0304$/u.exec(left.text.normalize('NFD'))) || [];
    const isMean = right?.kind === 'call' && right.callee.kind === 'name' && right.callee.text === 'mean';
    const of = isMean ? right.arguments[0]?.value : undefined;
    return letter !== undefined && of?.kind === 'name' && of.text === collection ? [letter] : [];
  };

function changer(name: string, ofLabels: boolean, aliases: readonly string[]): (part: Expression) => Expression {
  const change = (part: Expression): Expression => {
    if (part.kind === 'absolute') return sizeOf(part, name, ofLabels) ?? mapExpression(part, change);
    const element = indexedName(part);
    if (part.kind === 'name' && element && aliases.includes(element.base.text))
      return { ...part, text: `${name}_${element.index.text}` };
    const [binder, more] = part.kind === 'big' ? part.binders : [];
    if (part.kind !== 'big' || !ofLabels || !binder || more || binder.bound !== null || part.upper)
      return mapExpression(part, change);
    const { range } = binder;
    const bound: Expression = {
      kind: 'interval',
      low: { kind: 'number', value: '0', unit: null, range },
      high: { kind: 'name', text: 'K', range },
      lowOpen: false,
      highOpen: true,
      range,
    };
    return { ...part, binders: [{ ...binder, relation: '∈', bound }], body: change(part.body) };
  };
  return change;
}

/** `|S|`, `|S_k|`; null of anything else. */
function sizeOf(part: Extract<Expression, { kind: 'absolute' }>, name: string, ofLabels: boolean): Expression | null {
  const { operand } = part;
  if (operand.kind !== 'name') return null;
  if (operand.text === name) return { kind: 'name', text: 'n', range: part.range };
  const element = indexedName(operand);
  if (!ofLabels || element?.base.text !== name) return null;
  const counted = readNotation(`c = |{i : ${name}_i = ${element.index.text}}|`, 'formula').statements[0]?.body;
  return counted?.kind === 'relation' ? (counted.operands[1] ?? null) : null;
}
