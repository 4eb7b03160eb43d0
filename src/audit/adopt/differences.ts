/** Two contracts that define one quantity by formulas with different values: both cannot be meant. */
import { invariant } from '../../base/invariant.ts';
import { quoted } from '../../base/text.ts';
import { canonicalJson } from '../../base/canonical-json.ts';
import {
  isDeclaredOnly,
  type Application,
  type ElaboratedContract,
  type EquationModel,
  type Goal,
} from '../../contract/goal.ts';
import { sha256 } from '../../evidence/digest.ts';
import type { Receipt } from '../../evidence/receipt.ts';
import { factsOf } from '../../math/domain-facts.ts';
import { call, decimal, element, integer, reduce, variable } from '../../math/term/build.ts';
import { ambiguousScale } from '../../math/notation/ambiguous-scale.ts';
import { INTEGER, type IndexBinder, type Term } from '../../math/term/term.ts';
import { termKey } from '../../math/term/term-key.ts';
import { shapeOf, typeText } from '../../math/term/types.ts';
import type { Check } from '../../plan/check.ts';
import type { AdoptedStatement } from '../../report/adopt/adoption.ts';
import { exactCheck, type AdoptionOptions } from './adoption-checks.ts';
import { isUndefined, type RunChecks } from './judge-adoption.ts';
import { placeOf } from './place-of.ts';

interface Defined {
  readonly elaborated: ElaboratedContract;
  readonly model: EquationModel;
}

/** Formulas that agree to so many digits are taken for one: constants are written to six or more. */
const agreement = decimal('1e-5');
/** More contracts than this about one quantity would be compared in quadratic time. */
const mostCompared = 8;

/**
 * Every pair of equations of different contracts with one symbol and the same inputs whose values differ at a common input; of constants,
 * those of one contract, too.
 */
export async function findDifferences(
  elaborated: readonly ElaboratedContract[],
  run: RunChecks,
  options: AdoptionOptions,
): Promise<readonly AdoptedStatement[]> {
  const pairs = pairsOf(elaborated).map((pair) => ({ pair, check: exactCheck(goalOf(...pair), options) }));
  const receipts = await run(pairs.map(({ check }) => check));
  return pairs.flatMap(({ pair, check }) => differenceOf(pair, check, receipts.get(check.id)));
}

/** `max_seq_len = 2048`: nothing that it depends on. */
function isConstant({ parameters, sizes, domain: { variables }, result }: EquationModel): boolean {
  return parameters.length + sizes.length + variables.length === 0 && result.kind !== 'tensor' && isNumber(result);
}

const isNumber = ({ kind }: EquationModel['result']): boolean => ['integer', 'real', 'float'].includes(kind);

/** Symbol and inputs, by name and type: only then do two formulas speak of one quantity. */
function quantityOf(model: EquationModel): string {
  const { symbol, parameters, sizes, result } = model;
  if (isConstant(model)) return canonicalJson([symbol]);
  const inputs = parameters.map(({ name, type }) => [name, typeText(type)]);
  return canonicalJson([symbol, inputs, sizes, typeText(result)]);
}

function pairsOf(elaborated: readonly ElaboratedContract[]): readonly (readonly [Defined, Defined])[] {
  const known = new Map<string, Defined[]>();
  for (const one of elaborated)
    for (const model of one.equations) {
      if (model.unread !== undefined || isDeclaredOnly(model)) continue;
      if (model.parameters.length === 0 && !isConstant(model)) continue;
      if (model.domain.sizes.some(({ definition }) => definition !== null)) continue;
      const key = quantityOf(model);
      known.set(key, [...(known.get(key) ?? []), { elaborated: one, model }]);
    }
  return [...known.values()].flatMap((all) => {
    const first = all.slice(0, mostCompared);
    return first.flatMap((a, i) =>
      first
        .slice(i + 1)
        .filter(
          (b) =>
            (b.elaborated !== a.elaborated || isConstant(a.model)) &&
            isNameOfOne(a.model, b.model) &&
            termKey(a.model.body) !== termKey(b.model.body),
        )
        .map((b) => [a, b] as const),
    );
  });
}

/** Every contract may call its function f; a longer symbol, or two equations of one name, are meant to be one. */
function isNameOfOne(a: EquationModel, b: EquationModel): boolean {
  return a.name === b.name || a.symbol.length > 2;
}

/** Both formulas at the inputs of the first that are inputs of the second. */
function goalOf(a: Defined, b: Defined): Goal {
  const { domain, symbol, parameters, sizes, result } = a.model;
  const applications = [a, b].map(({ elaborated, model }, i): Application => ({
    output: `out:${i}`,
    equation: `${elaborated.contract.id}/${model.name}`,
    arguments: parameters.map(({ name, type }) => variable(name, type)),
    sizes: sizes.map((name) => variable(name, INTEGER)),
    type: result,
  }));
  const [left, right] = applications.map(({ output, type }) => variable(output, type));
  const common = b.model.domain.variables.flatMap((input) => factsOf({ ...input, structure: 'none' }));
  const narrowed = domain.sizes.map((size) => {
    const other = b.model.domain.sizes.find(({ name }) => name === size.name);
    return {
      ...size,
      minimum: Math.max(size.minimum, other?.minimum ?? 0),
      maximum: Math.max(
        size.minimum,
        other?.minimum ?? 0,
        Math.min(size.maximum, other?.maximum ?? Infinity, largestSize),
      ),
    };
  });
  const written = a.elaborated.contract.equations.find(({ name }) => name === a.model.name);
  invariant(written, 'a model comes from an equation of its contract');
  const text = `${symbol} of ${a.elaborated.contract.id} = ${symbol} of ${b.elaborated.contract.id}`;
  const id = `${a.elaborated.contract.id}/${a.model.name} and ${b.elaborated.contract.id}/${b.model.name}`;
  return {
    id,
    contract: a.elaborated.contract.id,
    claim: a.model.name,
    source: 'statement',
    property: text,
    formal: text,
    semantics: 'real',
    about: 'mathematics',
    equations: [],
    domain: {
      ...domain,
      sizes: narrowed,
      preconditions: [...domain.preconditions, ...b.model.domain.preconditions, ...common],
    },
    applications,
    predicate: isConstant(a.model)
      ? call('approximately', left ?? integer(0), right ?? integer(0), share(right ?? integer(0)))
      : agrees(left ?? integer(0), right ?? integer(0), shapeOf(result)),
    given: null,
    cases: 0,
    toleranceText: 'rel 1e-5',
    seed: null,
    onBackends: {},
    overReals: { equations: [a, b].map(({ model }, i) => ({ name: applications[i]?.equation ?? '', model })) },
    statistical: null,
    ifFails: null,
    digest: sha256(canonicalJson([a.model.digest, b.model.digest])),
    span: written.formula.span,
  };
}

/** Arbitrary precision is a thousand times slower than floats. */
const largestSize = 8;

/** Constants may be as small as 1e-6. */
const share = (value: Term): Term => call('multiply', agreement, call('absolute', value));

function agrees(left: Term, right: Term, shape: readonly Term[]): Term {
  const binders = shape.map((to, axis): IndexBinder => ({ name: `i:${axis}`, from: integer(0), to }));
  const indices = binders.map(({ name }) => variable(name, INTEGER));
  const [a, b] = [element(left, indices), element(right, indices)];
  const allowed = call('multiply', agreement, call('add', integer(1), call('absolute', b)));
  return reduce('all', binders, call('approximately', a, b, allowed));
}

function differenceOf(
  [a, b]: readonly [Defined, Defined],
  { goal }: Pick<Check, 'goal'>,
  receipt: Receipt | undefined,
): readonly AdoptedStatement[] {
  const counterexample = receipt?.verdict === 'falsified' ? receipt.counterexample : null;
  if (!counterexample || isUndefined(counterexample)) return [];
  const [own, other] = [a, b].map(({ elaborated, model }) =>
    elaborated.contract.equations.find(({ name }) => name === model.name),
  );
  if (!own || !other || [own, other].some(({ formula }) => ambiguousScale(formula.text) !== null)) return [];
  const place = placeOf(other.formula.span);
  return [
    {
      contract: a.elaborated.contract.id,
      claim: a.model.name,
      source: 'equation',
      word: 'contradicts',
      property: goal,
      formal: own.formula.text,
      ...placeOf(own.formula.span),
      against: other.formula.text,
      counterexample,
      reason: `${b.elaborated.contract.id} (${place.file}:${place.line}) defines it as ${quoted(other.formula.text, 100)}`,
      mend: 'give one of them another name, or make the formulas equal',
    },
  ];
}
