/** What an equation states about the shape of its result: the codomain, the ranges of its indices, the sizes that these use. */
import type { Expression, Statement } from '../../../math/notation/syntax.ts';
import { readNotation } from '../../../math/notation/read.ts';
import type { Equation, FormalText } from '../../contract.ts';
import { boundsOfIndex, isRange, type IndexFact } from '../operators/index-ranges.ts';
import { leftIndices } from './main-formula.ts';
import { lookup, type Scope } from '../context/scope.ts';
import { readHead, sidesOf } from '../domains/definition-heads.ts';
import { symbolOf } from './symbol-of.ts';
import { shapeName, type ShapeName } from '../domains/shape-name.ts';
import { childrenOf, namesOf } from '../context/syntax-parts.ts';
import { readType, type TypeExpression } from '../inputs/type-expressions.ts';

/** The type of a result as written. */
export interface Codomain {
  readonly type: TypeExpression;
  readonly text: FormalText;
}

/** Everything outside the formula that determines the shape of its result. */
export interface ResultShape {
  readonly codomain: Codomain | null;
  /** Whether the codomain is a type of integers with so many bits. */
  readonly isMachine: boolean;
  readonly facts: readonly IndexFact[];
  /** Statements that say nothing else, so that the domain need not read them. */
  readonly used: ReadonlySet<Statement>;
  readonly names: readonly ShapeName[];
  /** `m = n - k + 1` outside formula and domain. */
  readonly definitions: readonly { readonly equation: Expression; readonly text: FormalText }[];
}

interface Sentence {
  readonly statement: Statement;
  readonly text: FormalText;
}

/** `domain` are the texts that declare inputs; names that `scope` knows are not indices. */
export function readResultShape(equation: Equation, domain: readonly FormalText[], scope: Scope): ResultShape {
  const codomain = codomainOf(equation, scope);
  const declaring = sentencesOf(domain);
  const aside = sentencesOf([...(equation.codomain ? [asDomain(equation.codomain)] : []), ...equation.invariants]);
  const formula = sentencesOf([equation.formula]);
  const symbol = symbolOf(equation);
  const isHelper = ({ statement: { body } }: Sentence): boolean => {
    const sides = sidesOf(body);
    return sides !== null && readHead(sides.left, scope, sides.right)?.name !== symbol;
  };
  const isIndex = indexTest(equation.formula, declaring, scope);
  const bounding = [...formula, ...declaring, ...aside].flatMap(({ statement, text }) => {
    const binders = statement.conditions.length === 0 ? boundsOfIndex(statement.body, isIndex) : null;
    return binders ? [{ statement, facts: binders.map((binder) => ({ binder, text })) }] : [];
  });
  const inWhere = formula.flatMap(({ statement, text }) =>
    statement.definitions.flatMap((part) => boundsOfIndex(part, isIndex) ?? []).map((binder) => ({ binder, text })),
  );
  const facts = [...bounding.flatMap((one) => one.facts), ...inWhere];
  const inFormula = formula.flatMap(({ statement }) => [
    ...statement.binders.filter(({ name }) => isIndex(name)),
    ...statement.conditions.flatMap((condition) => boundsOfIndex(condition, isIndex) ?? []),
  ]);
  // `s_j = … ∀ j < ⌊d/2⌋` of a helper says how long s is, and nothing of the result.
  const ofHelpers = new Set(
    formula
      .slice(0, -1)
      .filter(isHelper)
      .flatMap(({ statement }) => statement.binders),
  );
  const ends = [...facts.map(({ binder }) => binder), ...inFormula.filter((binder) => !ofHelpers.has(binder))].flatMap(
    ({ bound }) => (bound ? [bound] : []),
  );
  const own = equationsIn([...formula, ...declaring]);
  const others = equationsIn(aside);
  const defined = new Map([...others, ...own].map(({ name, equation: written }) => [name, written] as const));
  const needed = closure([...(codomain?.type.axes ?? []), ...ends], defined);
  const bodies = declaring.map(({ statement }) => statement.body);
  const known = new Set(own.map(({ name }) => name));
  return {
    codomain,
    isMachine: writtenCodomain(equation)?.type.machine !== undefined,
    facts,
    used: new Set(bounding.map(({ statement }) => statement)),
    names: [...needed].flatMap((name) => (defined.has(name) ? [] : shapeName(name, bodies))),
    definitions: others.filter(({ name }) => needed.has(name) && !known.has(name) && lookup(scope, name) === null),
  };
}

function sentencesOf(texts: readonly FormalText[]): readonly Sentence[] {
  return texts.flatMap((text) =>
    text.notation.status === 'math' ? text.notation.statements.map((statement) => ({ statement, text })) : [],
  );
}

/** Whether a name is an index of the left side: nothing declares it as anything else. */
function indexTest(formula: FormalText, declaring: readonly Sentence[], scope: Scope): (name: string) => boolean {
  const indices = leftIndices(formula, scope);
  const declared = new Set(
    declaring.flatMap(({ statement: { body } }) => {
      const [left, set] = body.kind === 'relation' && body.operators[0] === '∈' ? body.operands : [];
      return left && set && !isRange(set) ? namesOf(left) : [];
    }),
  );
  return (name) => indices.has(name) && !declared.has(name) && lookup(scope, name) === null;
}

/** The set of the codomain, with what it says is its member; null if the text is not notation. */
function writtenCodomain({ codomain }: Equation): (Codomain & { readonly left: Expression | undefined }) | null {
  const text = codomain && asDomain(codomain);
  if (text === null || text.notation.status !== 'math') return null;
  const body = text.notation.statements[0]?.body;
  const member = body?.kind === 'relation' && body.operators.length === 1 && body.operators[0] === '∈' ? body : null;
  const [left, right] = member?.operands ?? [];
  const set = member ? right : body;
  const type = set ? readType(set) : null;
  return type && { type, text, left };
}

/** What the codomain says about the shape; null if it says nothing (none, prose, an interval for each element). */
function codomainOf(equation: Equation, scope: Scope): Codomain | null {
  const written = writtenCodomain(equation);
  if (written === null) return null;
  const { type, text, left } = written;
  const indices = leftIndices(equation.formula, scope);
  // A set of numbers for `s_ij` is where each element lies.
  const ofElements = left === undefined ? indices.size > 0 && type.axes.length === 0 : isElement(left, indices);
  return boundsOnly(type) || ofElements ? null : { type, text };
}

/** An interval or a set of values, which each element belongs to. */
function boundsOnly({ axes, lower, upper, choices }: TypeExpression): boolean {
  return axes.length === 0 && (lower ?? upper ?? choices) !== null;
}

/** `y_i`, `y_{i,j}`: for an element the codomain states no shape. */
function isElement(left: Expression, indices: ReadonlySet<string>): boolean {
  if (left.kind !== 'name') return left.kind === 'index';
  return left.text
    .split('_')
    .slice(1)
    .some((part) => indices.has(part) || [...part].every((letter) => indices.has(letter)));
}

/** A codomain may be just a set (`F32^n`), which is not a proposition and would be read as prose. */
function asDomain(text: FormalText): FormalText {
  return text.notation.status === 'math' ? text : { ...text, notation: readNotation(text.text, 'domain') };
}

/** `m = n - k + 1` for a plain name. */
function equationsIn(
  sentences: readonly Sentence[],
): readonly { readonly name: string; readonly equation: Expression; readonly text: FormalText }[] {
  return sentences.flatMap(({ statement, text }) =>
    [statement.body, ...statement.definitions].flatMap((equation) => {
      const [left, right] =
        equation.kind === 'relation' && (equation.operators[0] === '=' || equation.operators[0] === ':=')
          ? equation.operands
          : [];
      return left?.kind === 'name' && right && !isRange(right) ? [{ name: left.text, equation, text }] : [];
    }),
  );
}

/** The names in `expressions` and in the definitions of those names, transitively. */
function closure(expressions: readonly Expression[], defined: ReadonlyMap<string, Expression>): ReadonlySet<string> {
  const found = new Set<string>();
  const pending = expressions.flatMap(namesIn);
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    const equation = defined.get(name);
    const right = equation?.kind === 'relation' ? equation.operands[1] : undefined;
    if (right) pending.push(...namesIn(right));
  }
  return found;
}

/** Names of numbers: not those of the functions that are applied to them. */
function namesIn(expression: Expression): readonly string[] {
  if (expression.kind === 'name') return [expression.text];
  const parts = expression.kind === 'call' ? expression.arguments.map(({ value }) => value) : childrenOf(expression);
  return parts.flatMap(namesIn);
}
