/** From the texts of an equation, read as they are, to its parameters, domain, result and body. */
import type { Equation, FormalText } from '../../contract.ts';
import { fail, reading, remark, type Context } from '../context/context.ts';
import { isolated } from '../context/frames.ts';
import { checkLedger, useHead } from '../context/ledger.ts';
import type { Value } from '../context/value.ts';
import { scalar, shapeOfValue, wholeTerm } from '../context/values.ts';
import { declaredFunction, signatureOf, type DeclaredFunction } from '../domains/declared-function.ts';
import { definitionsOf, type Head } from '../domains/definition-heads.ts';
import { constrain, extendDomain } from '../domains/domain.ts';
import { refuseFixed } from '../domains/fixed-names.ts';
import { excludeUncovered } from '../domains/open-cases.ts';
import { digestOf, domainJson, parametersJson } from './digest.ts';
import { checkParts } from './executed-parts.ts';
import { mainFormula } from './main-formula.ts';
import {
  unboundedIndex,
  refuseRow,
  overSizes,
  notEmpty,
  declaredShape,
  checkCodomain,
  isClosed,
  resultElement,
} from './result-of-formula.ts';
import { readResultShape } from './result-shape.ts';
import { checkReads } from './stray-reads.ts';
import { checkUnreached } from './unreached-reads.ts';
import { elaborateCases } from '../expressions/definitions.ts';
import { unknownName } from '../expressions/unknown-name.ts';
import { addDefinition, finishDomain, type DomainDraft } from '../inputs/domain-draft.ts';
import { noteShares } from '../inputs/structures.ts';
import { statementOf } from '../operators/clauses.ts';
import { axesFromOne, sizesFromOne } from '../operators/from-one.ts';
import { machineIntegers } from '../operators/machine-quotient.ts';
import type { EquationModel, Parameter } from '../../goal.ts';
import { integer, variable } from '../../../math/term/build.ts';
import { simplifySize } from '../../../math/term/sizes.ts';
import { termKey, typeKey } from '../../../math/term/term-key.ts';
import { INTEGER, type Term, type Type } from '../../../math/term/term.ts';
import { makeType } from '../../../math/term/types.ts';

/** The equation over what the domain declares; null if a problem prevents it. `inherited` is the domain of one that declares none. */
export function modelOf(
  ctx: Context,
  draft: DomainDraft,
  equation: Equation,
  { inherited, claims }: { readonly inherited: FormalText | null; readonly claims: readonly FormalText[] },
): EquationModel | null {
  if (!isReadable(ctx, equation)) return null;
  const texts = [equation.domain ?? inherited, ...equation.preconditions].filter((text) => text !== null);
  const shape = readResultShape(equation, texts, draft.scope);
  extendDomain(ctx, draft, texts, shape);
  if (ctx.problem) return null;
  ctx.machine = machineIntegers(draft.inputs.values(), shape.isMachine);
  noteUnboundedSizes(ctx, draft, equation);
  const declared = declaredFunction(equation.formula);
  if (declared) {
    for (const { body } of equation.formula.notation.statements) useHead(ctx, body);
    const model = declaredModel(ctx, draft, equation, declared);
    checkLedger(ctx, [equation.formula, ...texts]);
    return model;
  }
  const main = mainFormula(ctx, draft, equation, shape.facts);
  if (main === null || ctx.problem) return null;
  for (const { equation: defining, text } of shape.definitions) {
    reading(ctx, text, () => {
      useHead(ctx, defining);
    });
    for (const definition of definitionsOf([{ equation: defining, binders: [] }], text, draft.scope))
      addDefinition(draft, definition);
  }
  reading(ctx, equation.formula, () => {
    refuseFixed(ctx, draft, main.equations, texts);
  });
  for (const condition of main.conditions)
    reading(ctx, equation.formula, () => constrain(ctx, draft, statementOf(condition)));
  const parameters = parametersOf(ctx, draft, main.head);
  // `C = A·B + β·C` computes a new C: a claim about C may mean either, and `gemm(A, B)` another value of the old one.
  if (main.head.arguments === null && draft.inputs.has(main.head.name)) draft.unread ??= updated(main.head.name);
  const axesDeclared = declaredShape(ctx, draft, shape.codomain);
  if (ctx.problem) return null;
  for (const name of [...draft.sizes.keys(), ...draft.inputs.keys()]) ctx.fresh(name);
  let value: Value = scalar(integer(0));
  const body = isolated(ctx, () => {
    value = elaborateCases(ctx, main, draft.scope, { shape: axesDeclared, facts: shape.facts });
    if (value.kind === 'family') unboundedIndex(ctx, main);
    if (value.kind === 'tensor' && value.row) refuseRow(ctx, main);
    return ctx.problem
      ? integer(0)
      : wholeTerm(ctx, value, equation.formula.notation.statements[0]?.range ?? { start: 0, end: 0 });
  });
  if (ctx.problem || !isClosed(ctx, draft, body, main.cases)) return null;
  excludeUncovered(ctx, draft);
  checkCodomain(ctx, value, shape.codomain, axesDeclared, main.cases);
  const axes = (axesDeclared ?? shapeOfValue(value)).map(simplifySize);
  if (!overSizes(ctx, draft, axes, main.cases)) return null;
  draft.preconditions.push(...notEmpty(axes));
  const result = makeType(resultElement(body, shape.codomain), axes);
  const isBare = main.head.arguments === null;
  const model = finishModel(ctx, equation, draft, {
    symbol: main.head.name,
    parameters,
    body,
    result,
    isBare,
    ...axesFromOne(value),
  });
  checkReads(ctx, [...model.domain.preconditions, body], model.domain);
  checkUnreached(ctx, body);
  checkParts(ctx, draft, equation, { texts, claims });
  return model;
}

const updated = (name: string): string => `its formula computes a new ${name} from the old one`;

/** A function with a type but no formula: its body is itself. */
function declaredModel(
  ctx: Context,
  draft: DomainDraft,
  equation: Equation,
  declared: DeclaredFunction,
): EquationModel | null {
  const signature = signatureOf(ctx, draft, declared);
  if (signature === null) return null;
  const { parameters, result } = signature;
  const body: Term = {
    kind: 'apply',
    equation: equation.name,
    arguments: parameters.map(({ name, type }) => variable(name, type)),
    sizes: [...draft.sizes.keys()].map((name) => variable(name, INTEGER)),
    type: result,
    origin: null,
  };
  return finishModel(ctx, equation, draft, { symbol: declared.symbol, parameters, body, result });
}

/** Only a text that is notation to its end defines anything. */
function isReadable(ctx: Context, equation: Equation): boolean {
  const parts = [
    ['formula', equation.formula],
    ['domain', equation.domain],
  ] as const;
  for (const [what, text] of parts) {
    if (text === null || text.notation.status === 'math') continue;
    ctx.problem = {
      kind: 'blocked',
      code: 'PV-4020',
      message: `its ${what} is ${text.notation.status === 'prose' ? 'prose' : 'notation only in part'}`,
      hint: null,
      text,
      range: { start: 0, end: text.text.length },
    };
    return false;
  }
  return true;
}

function noteUnboundedSizes(ctx: Context, draft: DomainDraft, equation: Equation): void {
  const open = [...draft.sizes.values()]
    .filter((size) => size.maximum === null && size.definition === null)
    .map((size) => size.name);
  const { domain } = equation;
  if (open.length === 0 || domain === null) return;
  reading(ctx, domain, () => {
    remark(
      ctx,
      'PV-4018',
      { start: 0, end: domain.text.length },
      `${open.join(', ')} ${open.length === 1 ? 'has' : 'have'} no upper bound; pv tests sizes up to 64`,
      `say how far the claim goes: 1 ≤ ${open[0] ?? 'n'} ≤ 512`,
    );
  });
}

/** The written arguments, then every other input in the order of the domain. */
function parametersOf(ctx: Context, draft: DomainDraft, head: Head): readonly Parameter[] {
  const written: string[] = [];
  for (const argument of head.arguments ?? []) {
    const name = argument.kind === 'name' ? argument.text : null;
    if (name === null) fail(ctx, 'PV-4023', argument.range, 'an argument on the left side is the name of an input');
    else if (!draft.inputs.has(name) && !draft.sizes.has(name)) unknownName(ctx, name, argument, draft.scope);
    else if (draft.inputs.has(name) && !written.includes(name)) written.push(name);
  }
  const names = [...written, ...[...draft.inputs.keys()].filter((name) => !written.includes(name))];
  return names.flatMap((name) => {
    const input = draft.inputs.get(name);
    return input ? [{ name, type: makeType(input.element, input.shape) }] : [];
  });
}

function finishModel(
  ctx: Context,
  equation: Equation,
  draft: DomainDraft,
  parts: {
    symbol: string;
    parameters: readonly Parameter[];
    body: Term;
    result: Type;
    isBare?: boolean;
    fromOne?: readonly boolean[];
  },
): EquationModel {
  noteShares(ctx, draft, equation.domain);
  const domain = finishDomain(draft);
  const sizes = domain.sizes.map((size) => size.name);
  const { unread, widens } = draft;
  const large = equation.large.map((entry) => Object.fromEntries([...entry].map(([name, { value }]) => [name, value])));
  let digest: string | null = null;
  return {
    name: equation.name,
    symbol: parts.symbol,
    parameters: parts.parameters,
    sizes,
    domain,
    large,
    result: parts.result,
    body: parts.body,
    ...(unread === null ? {} : { unread, ...(widens ? { widens } : {}) }),
    ...(parts.isBare === true ? { bare: true } : {}),
    ...(parts.fromOne ? { fromOne: parts.fromOne } : {}),
    ...sizesFromOne(ctx),
    // Computed on demand: reading and checking data need none, and hashing them all costs as much as typing them.
    get digest() {
      return (digest ??= digestOf({
        symbol: parts.symbol,
        parameters: parametersJson(parts.parameters),
        sizes,
        domain: domainJson(domain),
        result: typeKey(parts.result),
        body: termKey(parts.body),
        ...(large.length > 0 ? { large } : {}),
        ...(unread === null ? {} : { unread }),
      }));
    },
  };
}
