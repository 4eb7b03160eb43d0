/** An equation with each of its parts where elaboration looks for it. */
import type { Equation, FormalText } from '../../contract.ts';
import { withStates } from '../domains/step-names.ts';
import { readType } from '../inputs/type-expressions.ts';
import { statementOf } from '../operators/clauses.ts';
import type { Expression } from '../../../math/notation/syntax.ts';

/** `y = h·W where W ∈ ℝ^{n×m}`: what the formula declares belongs to the domain. */
export function withDeclarations(equation: Equation): Equation {
  const { notation } = equation.formula;
  const isDeclaration = (part: Expression): boolean => {
    const [name, set] = part.kind === 'relation' && part.operators.join('') === '∈' ? part.operands : [];
    return name?.kind === 'name' && set !== undefined && (readType(set)?.axes.length ?? 0) > 0;
  };
  const clauses = notation.statements.flatMap(({ conditions, definitions }) => [...conditions, ...definitions]);
  const declarations = clauses.filter(isDeclaration).map(statementOf);
  if (declarations.length === 0) return equation;
  const statements = notation.statements.map((statement) => ({
    ...statement,
    conditions: statement.conditions.filter((part) => !isDeclaration(part)),
    definitions: statement.definitions.filter((part) => !isDeclaration(part)),
  }));
  const formula = { ...equation.formula, notation: { ...notation, statements } };
  const declared = { ...equation.formula, notation: { ...notation, statements: declarations } };
  return { ...equation, formula, preconditions: [declared, ...equation.preconditions] };
}

/** The equation with the states of its step as names. */
export function withSteps(equation: Equation, letters: ReadonlySet<string>): Equation {
  const change = (text: FormalText): FormalText => withStates(text, letters);
  return {
    ...equation,
    formula: change(equation.formula),
    domain: equation.domain && change(equation.domain),
    codomain: equation.codomain && change(equation.codomain),
    preconditions: equation.preconditions.map(change),
    invariants: equation.invariants.map(change),
  };
}
