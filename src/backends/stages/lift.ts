/**
 * Finds the stages of a kernel. In gpu.js every thread computes its element alone: a softmax of n elements sums n exponentials n
 * times. A value that varies with fewer indices than the place where it is computed becomes a stage, one thread for each of its
 * values, and its place reads what the stage has left. Each operation stays the same float32 operation on the same numbers, so
 * the results are the same bits.
 *
 * Values worth it: what a loop gathers, and elementary functions. The functions are JavaScript's, which gpu.js calls too.
 */
import { invariant } from '../../base/invariant.ts';
import type { KernelExpression, KernelFunction, KernelStatement } from '../../subject/kernel-syntax.ts';
import { outputRankOf } from '../../subject/read-kernel.ts';
import { partsOf, replacePart } from '../../subject/visit-kernel.ts';
import { renamed } from './rewrite.ts';
import { after, indicesOf, inside, isIndex, scopeOf, stageScope, unsure, type Index, type Scope } from './scope.ts';
import { mentionedIn, nameSetBy, namesIn, sliceFor, statementsOf, withoutDead } from './slice.ts';
import { stageSet, type StageSet } from './stage-set.ts';
import type { StagedKernel } from './staged-kernel.ts';

/** The kernel in stages; a single one if nothing is computed twice. `outputRank` is that of the equation. */
export function stagesOf(kernel: KernelFunction, outputRank: number): StagedKernel {
  const lifter: Lifter = {
    set: stageSet(kernel),
    scalars: new Set(kernel.parameters.filter(({ rank }) => rank === 0).map(({ name }) => name)),
    assignments: assignmentsOf(kernel.body),
  };
  const scope = scopeOf(Math.max(outputRank, outputRankOf(kernel)));
  const once = liftList(lifter, kernel.body, scope);
  const stages = lifter.set.stages();
  // Statements before the value that was made a stage can read that stage too.
  const body = stages.length === 0 ? once : liftList(lifter, once, scope);
  return [...stages, lifter.set.last(stages.length === 0 ? kernel.body : withoutDead(body))];
}

interface Lifter {
  readonly set: StageSet;
  readonly scalars: ReadonlySet<string>;
  /** How often each name is assigned, declarations aside. */
  readonly assignments: ReadonlyMap<string, number>;
}

function assignmentsOf(body: readonly KernelStatement[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const statement of statementsOf(body)) {
    const name = nameSetBy(statement);
    if (name !== null && statement.kind !== 'declare') counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

function liftList(lifter: Lifter, list: readonly KernelStatement[], scope: Scope): readonly KernelStatement[] {
  const out: KernelStatement[] = [];
  const names = new Map<string, string>();
  list.forEach((original, at) => {
    const statement = liftStatement(lifter, renamed(original, names), after(scope, out));
    out.push(statement);
    if (statement.kind !== 'for') return;
    const later = mentionedIn(list.slice(at + 1));
    for (const name of gathered(lifter, original, list.slice(0, at))) {
      if (!later.has(name)) continue;
      const read = lift(lifter, { kind: 'name', name, place: statement.place }, after(scope, out));
      if (!read) continue;
      const fresh = lifter.set.freshName(name);
      names.set(name, fresh);
      out.push({ kind: 'declare', constant: true, name: fresh, value: read, place: statement.place });
    }
  });
  return out;
}

/** The results of a loop: variables declared next to it and assigned nowhere else. */
function gathered(
  { assignments }: Lifter,
  loop: KernelStatement,
  earlier: readonly KernelStatement[],
): readonly string[] {
  const own = assignmentsOf([loop]);
  return earlier.flatMap((statement) => {
    if (statement.kind !== 'declare' || !own.has(statement.name)) return [];
    return own.get(statement.name) === assignments.get(statement.name) ? [statement.name] : [];
  });
}

function liftStatement(lifter: Lifter, statement: KernelStatement, scope: Scope): KernelStatement {
  const value = (expression: KernelExpression): KernelExpression => liftExpression(lifter, expression, scope);
  const list = (body: readonly KernelStatement[], within = scope): readonly KernelStatement[] =>
    liftList(lifter, body, within);
  switch (statement.kind) {
    case 'declare':
    case 'assign':
    case 'return':
      return { ...statement, value: value(statement.value) };
    case 'if':
      return {
        ...statement,
        condition: value(statement.condition),
        then: list(statement.then, unsure(scope)),
        otherwise: statement.otherwise && list(statement.otherwise, unsure(scope)),
      };
    case 'for':
      return { ...statement, body: list(statement.body, inside(scope, statement, lifter.scalars)) };
    default:
      // How long a `while` runs is unknown, so nothing in it is worth a stage for certain.
      return statement;
  }
}

const elementary: ReadonlySet<string> = new Set(
  'exp log log2 sin cos tan tanh atan asin acos atan2 sinh cosh pow'.split(' '),
);

function liftExpression(lifter: Lifter, expression: KernelExpression, scope: Scope): KernelExpression {
  const chosen = expression.kind === 'conditional' || expression.kind === 'logical' ? unsure(scope) : scope;
  const whole = partsOf(expression).reduce(
    (now, part, i) => replacePart(now, i, liftExpression(lifter, part, chosen)),
    expression,
  );
  return ((isElementary(whole) || isSelection(whole, scope)) && lift(lifter, whole, scope)) || whole;
}

/**
 * An element in a loop whose place has to be computed: gpu.js keeps what is computed as a float, and turns it into an integer
 * again at every read. A stage has the elements in the order in which they are read.
 */
function isSelection(expression: KernelExpression, scope: Scope): boolean {
  if (expression.kind !== 'element' || scope.loops.length === 0 || !scope.certain) return false;
  return !expression.indices.every((index) => isPlace(index, scope));
}

function isPlace(index: KernelExpression, scope: Scope): boolean {
  if (index.kind === 'name') return isIndex(scope, index.name);
  const plain =
    index.kind === 'thread' || index.kind === 'number' || (index.kind === 'binary' && index.operator !== '/');
  return plain && partsOf(index).every((part) => isPlace(part, scope));
}

function isElementary(expression: KernelExpression): boolean {
  if (expression.kind === 'binary') return expression.operator === '**';
  return expression.kind === 'call' && elementary.has(expression.fn);
}

/**
 * How the value is read from a stage of it; null if it cannot be moved, or would be computed just as often. A function of one
 * argument that is certainly computed is always worth a stage: applied to a whole array it costs half as much as calls from
 * WebAssembly.
 */
function lift(lifter: Lifter, value: KernelExpression, scope: Scope): KernelExpression | null {
  const dependence = dependenceOf(value, scope);
  if (!dependence || dependence.indices.length > 3) return null;
  const indices =
    value.kind === 'element' ? inOrderOfReading(value.indices, dependence.indices, scope) : dependence.indices;
  const fewer =
    indices.length < scope.indices.length ||
    indices.some((index) => index.kind === 'part' && !isIndex(scope, index.name));
  const [argument, second] = value.kind === 'call' ? value.arguments : [];
  const applied =
    value.kind === 'call' && argument && !second ? { value: argument, apply: value.fn } : { value, apply: null };
  const wanted = { statements: dependence.statements, indices, ...applied };
  const known = lifter.set.read(wanted);
  if (known || !(fewer || (applied.apply !== null && scope.certain))) return known;
  // In the stage, too, there may be what its threads would compute again.
  const result: KernelStatement = { kind: 'return', value: applied.value, place: value.place };
  const body = liftList(lifter, [...dependence.statements, result], stageScope(scope, indices));
  const last = body.at(-1);
  invariant(last?.kind === 'return', 'what returns stays at the end');
  const statements = sliceFor(body.slice(0, -1), namesIn(last.value), new Set());
  invariant(statements, 'nothing in a stage jumps');
  return lifter.set.create(wanted, { ...wanted, value: last.value, statements });
}

/** The indices of an element's stage, so that neighbours there are neighbours in its array. */
function inOrderOfReading(
  places: readonly KernelExpression[],
  indices: readonly Index[],
  scope: Scope,
): readonly Index[] {
  const read = places.flatMap((place) => dependenceOf(place, scope)?.indices ?? []);
  return [...new Set([...read.filter((index) => indices.includes(index)), ...indices])];
}

interface Dependence {
  readonly statements: readonly KernelStatement[];
  readonly indices: readonly Index[];
}

function dependenceOf(value: KernelExpression, scope: Scope): Dependence | null {
  const names = new Set(scope.parts.map(({ name }) => name));
  const statements = sliceFor(scope.before, namesIn(value), names);
  if (!statements) return null;
  const mentioned = new Set([...mentionedIn(statements), ...namesIn(value)]);
  if (scope.loops.some(({ carried }) => [...mentioned].some((name) => carried.has(name)))) return null;
  const indices = indicesOf(scope, statements, value);
  // A value that needs the whole thread index too gains nothing by its part.
  const useless = new Set(
    indices.flatMap((index) =>
      index.kind === 'part' && indices.some((other) => other.kind === 'thread' && other.axis === index.axis)
        ? [index.name]
        : [],
    ),
  );
  if (useless.size === 0) return { statements, indices };
  return dependenceOf(value, { ...scope, parts: scope.parts.filter(({ name }) => !useless.has(name)) });
}
