/**
 * Contracts whose equations are about numbers with names, such as those of a training config, and that have no section `data`: the
 * numbers that nothing computes become inputs, which a file or `--set` gives.
 *
 * A glossary in a domain says what they mean and where they are: `batch: sequences per device (config.data.batch_size)`.
 */
import { isBuiltinWord } from '../../contract/elaborate/operators/builtins.ts';
import { childrenOf, statementParts } from '../../contract/elaborate/context/syntax-parts.ts';
import { formalText, NO_FILE } from '../../contract/elaborate/equations/from-text.ts';
import { symbolOf } from '../../contract/elaborate/equations/symbol-of.ts';
import type { Contract, DataInput, DataSection, Equation, FormalText, Obligation } from '../../contract/contract.ts';
import type { ElaboratedContract } from '../../contract/goal.ts';
import { vocabularyNameOf } from '../../data/read/formats/plain.ts';
import { isVocabularyName, vocabulary } from '../../data/read/vocabulary.ts';
import type { Expression } from '../../math/notation/syntax.ts';

/** `contract` over the numbers of a config; null if it is about tensors, or names no number that a file could give. */
export function overConfig({ contract, equations }: ElaboratedContract): Contract | null {
  if (contract.dataSection !== null) return null;
  const variables = equations.flatMap(({ domain }) => domain.variables);
  if (variables.some(({ shape }) => shape.length > 0)) return null;
  const terms = glossaryOf(contract.equations);
  const names = numbersIn(contract, terms).filter((name) =>
    terms.has(name) ? terms.get(name) !== null : !tolerances.has(name),
  );
  if (names.length === 0) return null;
  const whole = new Set(variables.filter(({ element }) => element.kind === 'integer').map(({ name }) => name));
  const inputs = names.map((name): DataInput & { readonly type: string } => {
    const { meaning = null, path = null } = terms.get(name) ?? {};
    // Short words have other meanings in mathematics: `lr` may be that of one step.
    const known = isVocabularyName(name) || name.includes('_') ? vocabularyNameOf(name) : null;
    const from = path ?? known ?? name;
    const type = known === null ? (whole.has(name) ? 'ℤ' : 'ℝ') : types[vocabulary[known].kind];
    return { name, nameSpan: contract.span, from, meaning, fallback: null, mend: null, type };
  });
  const divisors = new Set(contract.equations.flatMap(divisorsOf));
  const declared = inputs.map(({ name, type }) => `${name} ∈ ${type}${divisors.has(name) ? `, ${name} ≠ 0` : ''}`);
  const domain = formalText(declared.join(', '), 'domain');
  return {
    ...contract,
    equations: contract.equations.map((equation) => ({ ...equation, domain: null })),
    obligations: [...contract.equations.flatMap(requirementsOf), ...contract.obligations].map((one) => ({
      ...one,
      about: 'data',
    })),
    dataSection: { kind: 'config', domain, required: null, inputs, span: contract.span },
  };
}

/** Nobody's config has the tolerance of a claim. */
const tolerances = new Set(['ε', 'epsilon', 'eps', 'δ', 'delta', 'tol', 'tolerance']);

/** Whether the section is one of {@link overConfig}, and in no file. */
export const isMade = ({ domain }: DataSection): boolean => domain?.span.source.path === NO_FILE;

const types = { count: 'ℤ', number: 'ℝ', fraction: 'ℝ', text: 'String', boolean: 'Bool' } as const;

/** The names that formulas and claims use as numbers and that no equation computes. */
function numbersIn({ equations, obligations }: Contract, terms: ReadonlyMap<string, Term | null>): readonly string[] {
  const texts = [
    ...equations.flatMap(({ formula, invariants }) => [formula, ...invariants]),
    ...obligations.flatMap(({ formal }) => formal ?? []),
  ];
  const uses = texts
    .filter(({ notation }) => notation.status === 'math')
    .flatMap(statementParts)
    .flatMap(usesIn);
  // The key of an equation may be the name of what it starts from: `lr: { formula: "scaled = lr * n" }`.
  const isGiven = (name: string): boolean => typeof terms.get(name)?.path === 'string';
  const computed = new Set(
    equations.flatMap((equation) => [
      symbolOf(equation) ?? equation.name,
      ...(isGiven(equation.name) ? [] : [equation.name]),
    ]),
  );
  const others = new Set(uses.filter(({ isNumber }) => !isNumber).map(({ name }) => name));
  return [...new Set(uses.map(({ name }) => name))].filter(
    (name) =>
      !computed.has(name) && !others.has(name) && !isBuiltinWord(name) && (terms.has(name) || !constants.has(name)),
  );
}

/** Unless a glossary says what they are: `e: epochs`. */
const constants = new Set(['π', 'pi', 'e']);

/** k of `y = n / k`: at 0 the equation has no value, and `y > 0` says nothing. A formula with conditions may exclude 0 itself. */
function divisorsOf({ formula }: Equation): readonly string[] {
  if (formula.notation.status !== 'math' || /\b(?:if|when|where|else|otherwise)\b|[?{]/u.test(formula.text)) return [];
  const under = (part: Expression): readonly string[] => [
    ...(part.kind === 'binary' && part.operator === '/' && part.right.kind === 'name' ? [part.right.text] : []),
    ...childrenOf(part).flatMap(under),
  ];
  return statementParts(formula).flatMap(under);
}

interface Use {
  readonly name: string;
  /** Not so for what is called or has elements. */
  readonly isNumber: boolean;
}

function usesIn(expression: Expression): readonly Use[] {
  if (expression.kind === 'name') return [{ name: expression.text, isNumber: true }];
  if (expression.kind === 'quantified' || expression.kind === 'big')
    return childrenOf(expression)
      .flatMap(usesIn)
      .concat(expression.binders.map(({ name }) => ({ name, isNumber: false })));
  const held =
    expression.kind === 'call'
      ? expression.callee
      : expression.kind === 'index'
        ? expression.base
        : expression.kind === 'member'
          ? expression.object
          : null;
  return childrenOf(expression).flatMap((child) =>
    child === held && child.kind === 'name' ? [{ name: child.text, isNumber: false }] : usesIn(child),
  );
}

interface Term {
  readonly meaning: string | null;
  /** The key in the file. */
  readonly path: string | null;
}

const entry = /^\s*(?:[-*]\s+)?([\p{L}_][\p{L}\p{N}_]*)\s*(?::|=|—|–)\s*([\p{L}(].*)$/u;
/** Entries are on lines of their own, or separated by commas: a comma before `name:` begins another. */
const betweenEntries = /[\n;]|,(?=\s*[\p{L}_][\p{L}\p{N}_]*\s*[:—–])/u;
const key = String.raw`[\w-]+(?:\[\d+\]|\.[\w-]+)*`;
const keysOfConfig = new RegExp(String.raw`\(config\.(${key})\)`, 'gu');
const lastKey = new RegExp(String.raw`\((${key})\)\s*\.?$`, 'u');

/** `name: what it is (config.path.of.it)`; null if different equations give a name different keys. */
function glossaryOf(equations: readonly Equation[]): ReadonlyMap<string, Term | null> {
  const entries = equations.flatMap(({ domain }) => domain?.text.split(betweenEntries) ?? []).flatMap(termIn);
  const terms = new Map<string, Term | null>();
  for (const [name, term] of entries) {
    const before = terms.get(name);
    const differ = before && before.path !== null && term.path !== null && before.path !== term.path;
    if (before !== null) terms.set(name, differ ? null : term.path === null && before ? before : term);
  }
  return terms;
}

/** If an entry names several keys, which one is meant is not known. */
function termIn(text: string): readonly (readonly [string, Term])[] {
  const [, name, words = ''] = entry.exec(text.slice(0, longestLine)) ?? [];
  if (name === undefined) return [];
  const keys = new Set([...words.matchAll(keysOfConfig)].flatMap(([, path]) => path ?? []));
  const [only = null] = keys.size > 0 ? keys : (lastKey.exec(words)?.slice(1) ?? []);
  const path = keys.size > 1 ? null : only;
  const meaning = words.split(keysOfConfig)[0]?.replace(lastKey, '').trim();
  return path === null && words.startsWith('(') ? [] : [[name, { meaning: meaning || null, path }]];
}

const longestLine = 500;

/** What an equation says must hold of its numbers, as obligations. */
function requirementsOf({ name, invariants, postconditions }: Equation): readonly Obligation[] {
  const of = (kind: string, texts: readonly FormalText[]): readonly Obligation[] =>
    texts.map((formal, i) => obligationFrom(`${name}.${kind}-${i + 1}`, formal));
  return [...of('invariant', invariants), ...of('postcondition', postconditions)];
}

function obligationFrom(id: string, formal: FormalText): Obligation {
  return {
    id,
    idDeclared: true,
    type: 'invariant',
    property: formal.text,
    formal,
    requires: [],
    tolerance: null,
    backendTolerances: new Map(),
    libraryTolerance: null,
    semantics: null,
    about: 'data',
    severity: 'error',
    leastShare: null,
    ifFails: null,
    diagnosis: null,
    appliesTo: null,
    propertyMethod: { cases: null, seed: null },
    boundedMethod: null,
    proofMethod: null,
    statisticalMethod: null,
    span: formal.span,
  };
}
