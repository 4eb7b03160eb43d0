/**
 * The statements of equations as claims: invariants, postconditions, and codomains that bound the result.
 *
 * They are facts about the equation, so they are decided over the reals: rounding to float32 must not make a true one false
 * (`σ(x) ∈ (0, 1)` rounds to 1). Obligations say how far a kernel may be from its equation.
 */
import { isHarmless } from '../../../math/notation/harmless-remarks.ts';
import { lex } from '../../../math/notation/lex.ts';
import { readNotation } from '../../../math/notation/read.ts';
import type { Type } from '../../../math/term/term.ts';
import type { Equation, FormalText } from '../../contract.ts';
import type { EquationModel, UnevaluatedStatement } from '../../goal.ts';
import { clausesOf } from '../operators/clauses.ts';
import type { Claim } from './claim-of.ts';
import type { Scope } from '../context/scope.ts';
import type { ElaboratedEquation } from '../equations/equation.ts';
import { boundedResult } from '../domains/declared-function.ts';
import { lawIn } from '../equations/law-formula.ts';
import { elementCodomain } from '../domains/element-codomain.ts';
import { shapeCodomain } from '../domains/shape-lists.ts';
import { furtherStatements } from '../equations/further-sides.ts';
import { readType, type TypeExpression } from '../inputs/type-expressions.ts';
import { withReturned } from './returned-value.ts';
import { statedLaw, type StatedLaw } from './stated-laws.ts';

/** The statements of equations that can be decided, and those that cannot. */
export interface Statements {
  readonly claims: readonly Claim[];
  /** Formulas that are statements themselves. */
  readonly laws: readonly { readonly claim: Claim; readonly law: StatedLaw }[];
  /** Statements of equations that are not executable. */
  readonly unevaluated: readonly UnevaluatedStatement[];
}

/** Few, because each case is evaluated in arbitrary precision and a false statement fails early. */
const STATEMENT_CASES = 200;

/** Every invariant, postcondition and bounding codomain; preconditions are part of the domain instead. */
export function statementsOf(equations: readonly ElaboratedEquation[], globals: Scope): Statements {
  const claims: Claim[] = [];
  const laws: Statements['laws'][number][] = [];
  const unevaluated: UnevaluatedStatement[] = [];
  for (const one of equations) {
    const { equation, model, problem } = one;
    for (const { id, role, text, shown = text.text } of writtenStatements(equation)) {
      // Preconditions in notation narrow the domain.
      if (role === 'precondition' && text.notation.status === 'math') continue;
      const law = role === 'law' ? statedLaw(one, globals) : null;
      if (role === 'law' && law === null) continue;
      const said = role === 'postcondition' && model ? withReturned(text, model) : text;
      const formal = role === 'codomain' ? codomainClaim(equation, text, model) : said;
      if (formal === null) continue;
      // A further right side of a helper is about that helper.
      const claim = claimOf({
        id,
        equation: role === 'equality' || law ? null : equation.name,
        formal,
        shown: formal.text.endsWith(` ∈ ${text.text}`) ? formal.text : shown,
      });
      if (role === 'result')
        unevaluated.push(
          asUnevaluated(claim, 'no formula computes it: state the bounds of the result as an obligation'),
        );
      else if (law) laws.push({ claim, law });
      else if (model) claims.push(claim);
      else
        unevaluated.push(
          asUnevaluated(claim, `${equation.name} is not executable${problem ? `: ${problem.message}` : ''}`),
        );
    }
  }
  return { claims, laws, unevaluated };
}

interface WrittenStatement {
  /** `softmax.invariant-2` */
  readonly id: string;
  readonly role: 'result' | 'law' | 'equality' | 'precondition' | 'invariant' | 'postcondition' | 'codomain';
  readonly text: FormalText;
  /** In place of the text. */
  readonly shown?: string;
}

/** The ledger identifies texts by their spans. */
const apart = (text: FormalText): FormalText => ({ ...text, span: { ...text.span } });

/** All statements of an equation, in the order of its keys. */
export function writtenStatements(equation: Equation): readonly WrittenStatement[] {
  const { name, formula, preconditions, invariants, postconditions, codomain } = equation;
  const numbered = (role: WrittenStatement['role'], texts: readonly FormalText[]): readonly WrittenStatement[] =>
    texts.map((text, i) => ({ id: `${name}.${role}-${i + 1}`, role, text }));
  const result = boundedResult(formula);
  return [
    ...(lawIn(formula) ? [{ id: `${name}.law`, role: 'law', text: apart(formula) } as const] : []),
    ...(result ? [{ id: `${name}.result`, role: 'result', text: formula } as const] : []),
    ...(codomain ? [{ id: `${name}.codomain`, role: 'codomain', text: codomain } as const] : []),
    ...furtherStatements(formula).map(
      (one, i) => ({ id: `${name}.equality-${i + 1}`, role: 'equality', ...one }) as const,
    ),
    ...numbered('precondition', preconditions),
    ...numbered('invariant', invariants),
    ...numbered('postcondition', postconditions),
  ];
}

/** A statement as the report counts it when nothing decides it. */
export function asUnevaluated({ id, property, span }: Claim, reason: string): UnevaluatedStatement {
  return { id, text: property, reason, span };
}

interface Stated {
  readonly id: string;
  readonly equation: string | null;
  readonly formal: FormalText;
  readonly shown: string;
}

function claimOf({ id, equation, formal, shown }: Stated): Claim {
  return {
    id,
    source: 'statement',
    type: null,
    property: shown,
    formal,
    requires: [],
    tolerance: null,
    inheritsTolerance: false,
    backendTolerances: new Map(),
    semantics: 'real',
    statistical: null,
    about: 'mathematics',
    runsApart: false,
    appliesTo: equation,
    given: null,
    cases: STATEMENT_CASES,
    seed: null,
    ifFails: null,
    span: formal.span,
  };
}

/** What a codomain claims about the values; null if it gives only shape and format, which typing has compared with the formula. */
function codomainClaim(equation: Equation, written: FormalText, model: EquationModel | null): FormalText | null {
  if (model?.result.kind === 'tensor' && shapeCodomain(equation)) return null;
  const ofElements = model && model.result.kind !== 'tensor' ? elementCodomain(equation) : null;
  const claim = withMember(ofElements?.codomain ?? written, model?.symbol ?? 'y');
  const type = typeIn(claim);
  if (!model || !type) return claim;
  const isBounded = (type.lower ?? type.upper ?? type.choices) !== null;
  return !isBounded && isOfKind(model.result, type.element.kind) ? null : claim;
}

/** The type in which `claim` says that the result is, if it says nothing else. */
function typeIn({ notation: { status, statements } }: FormalText): TypeExpression | null {
  const [only, more] = statements;
  if (status !== 'math' || !only || more || clausesOf(only).length + only.binders.length > 0) return null;
  const { body } = only;
  const set = body.kind === 'relation' && body.operators[0] === '∈' ? body.operands[1] : undefined;
  return set ? readType(set) : null;
}

/** `y: f64`, `sigma^2: f64`: a declaration, as programs write it. */
const declaration = /^(\s*\p{L}[\p{L}\p{M}\p{N}_^{}'′²]*\s*):(?=\s)/u;
/** `f64 test statistic`: words that name what has the type. */
const namedAfter = /^(.*∈\s*(?:[fiu](?:8|16|32|64)|usize|ℝ|R))((?:\s+\p{Ll}{3,})+)\s*$/u;

/** The codomain as a proposition; a plain set (`[0, 1]^n`) gets its member. */
function withMember(set: FormalText, member: string): FormalText {
  const declared = set.text.replace(declaration, '$1∈');
  const [, type, words = ''] = namedAfter.exec(declared) ?? [];
  const isNamed = type !== undefined && isHarmless(lex(words).filter(({ kind }) => kind !== 'end'));
  const isRelation = declared !== set.text || set.notation.statements.some(({ body }) => body.kind === 'relation');
  const prefix = isRelation ? '' : `${member} ∈ `;
  const text = prefix + (isNamed ? type : declared);
  return {
    ...set,
    // The ledger distinguishes texts by their spans.
    span: { ...set.span },
    text,
    notation: readNotation(text, 'proposition'),
    offsetInSource: (offset) => set.offsetInSource(Math.max(0, offset - prefix.length)),
  };
}

function isOfKind(result: Type, kind: string): boolean {
  const element = result.kind === 'tensor' ? result.element : result;
  return kind === 'float' ? element.kind === 'float' || element.kind === 'integer' : element.kind === kind;
}
