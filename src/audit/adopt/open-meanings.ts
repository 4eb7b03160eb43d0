/** Claims of which it is open what their author means by a part: what breaks them as pv reads them decides nothing. */
import type { JsonValue } from '../../base/canonical-json.ts';
import type { Contract } from '../../contract/contract.ts';
import type { Goal } from '../../contract/goal.ts';
import { callsIn, namesOf } from '../../contract/elaborate/context/syntax-parts.ts';
import { isPlain } from '../../math/notation/share-clauses.ts';
import { readNotation } from '../../math/notation/read.ts';
import type { Expression, Notation, Statement } from '../../math/notation/syntax.ts';
import { isBroken } from './input-conditions.ts';
import type { Judged } from './judge-adoption.ts';
import { isMapping, unreadCondition, writtenClaim } from './unread-conditions.ts';

/** Why what breaks the claim decides nothing; null if nothing is open. */
export function openMeaning(goal: Goal, judged: Judged, contract: Contract): string | null {
  if (!isBroken(judged)) return null;
  const notation = readNotation(goal.formal, 'proposition');
  return (
    unreadTolerance(goal, judged, contract) ??
    withinStated(goal, judged, contract) ??
    loosePremise(notation) ??
    listedInputs(notation, goal) ??
    looksLike(goal.formal) ??
    unreadCondition(goal, contract)
  );
}

/** What is read as a product, and may be something else. */
function looksLike(formal: string): string | null {
  if (guard.test(formal)) return 'the bracket at its start may be a condition on the rest';
  if (/[=!<>]=/u.test(formal) && pythonList.test(formal)) return 'the brackets after `in` may be a list of Python';
  return ones.test(formal) ? '1 may be the vector of ones' : null;
}

/** `f(x) == 1 for x in [-1, 1]` */
const pythonList = /\bfor\s+\S+\s+in\s*[[(]\s*-?[\d.]+(?:\s*,\s*-?[\d.]+)*\s*[\])]/u;
/** `p · 1 = 1` */
const ones = /[\p{L}\p{N}_)\]]\s*[·⋅]\s*1(?![\p{L}\p{N}.^_/]|\s*[/·*^])/u;
/** `[x ≥ 1] f(x) ≥ x` */
const guard = /^\s*\[[^\][]*[≤≥<>=≠∈][^\][]*\]\s*(?![\s·*/+-])/u;
const toleranceKey = /^(?:[ar](?:bs|el)?_?tol(?:erance)?s?|tol|eps|epsilon|(?:max_)?(?:abs_|rel_)?err(?:or)?)$/iu;
const readParts: ReadonlySet<string> = new Set('abs rel ulp cond envelope per backends library'.split(' '));

/** `tolerance: {atol: 1e-5}`, `tolerance: "1e-5"`, `atol: 1e-5`: the author allows something that pv does not read, and that may be what the sides differ by. */
function unreadTolerance(goal: Goal, judged: Judged, contract: Contract): string | null {
  const written = writtenClaim(goal, contract);
  if (!written) return null;
  const tolerance = written['tolerance'];
  const keys = Object.keys(written).filter((key) => toleranceKey.test(key));
  const parts = isMapping(tolerance) ? Object.keys(tolerance).filter((key) => !isReadPart(key, tolerance[key])) : [];
  const isText = typeof tolerance === 'string';
  const unread = isText ? 'tolerance' : (keys[0] ?? (parts[0] === undefined ? null : `tolerance.${parts[0]}`));
  const sides = sidesOf(judged);
  const stated = ['tolerance', ...keys].flatMap((key) => written[key] ?? []);
  const allowed = Math.max(0, ...stated.flatMap(numbersOf));
  const isBeyond = sides !== null && Math.abs(sides[0] - sides[1]) > allowed * Math.max(1, ...sides.map(Math.abs));
  return unread === null || isBeyond ? null : `it states a tolerance that pv does not read (${unread})`;
}

/** The numbers of a tolerance, infinity for anything else; "none" and "exact" allow nothing. */
function numbersOf(written: JsonValue): readonly number[] {
  if (isMapping(written)) return Object.values(written).flatMap(numbersOf);
  if (typeof written === 'string' && /^(?:none|exact)$/iu.test(written)) return [];
  const isNumber = typeof written === 'number' || (typeof written === 'string' && written.trim() !== '');
  const value = isNumber ? Number(written) : Number.NaN;
  return [Number.isNaN(value) ? Infinity : Math.abs(value)];
}

const isReadPart = (key: string, value: JsonValue | undefined): boolean =>
  readParts.has(key) && (typeof value === 'number' || typeof value === 'string' ? typeof value === 'number' : true);

/** `a = b` with a tolerance, at an input where the sides differ by no more. */
function withinStated({ source, claim, toleranceText }: Goal, judged: Judged, contract: Contract): string | null {
  const { obligations, falsificationTests } = contract;
  const claims = source === 'obligation' ? obligations : source === 'falsification' ? falsificationTests : [];
  const tolerance = claims.find(({ id }) => id === claim)?.tolerance;
  const sides = sidesOf(judged);
  if (!tolerance || tolerance.per || toleranceText !== 'exact' || sides === null) return null;
  const [left, right] = sides;
  return Math.abs(left - right) <= (tolerance.abs ?? 0) + (tolerance.rel ?? 0) * Math.abs(right)
    ? 'its sides differ there by no more than its tolerance, which = and ≤ do not use: write ≈, or add it to a side'
    : null;
}

/** The two sides of the comparison that is false over the reals; null if their numbers are not known. */
function sidesOf({ counterexample }: Judged): readonly [number, number] | null {
  const [, left, right] =
    /\bover the reals, (\S+) (?:=|≤|≥|<|>|≈) (\S+) is false/u.exec(counterexample?.explanation ?? '') ?? [];
  const sides = [Number(left), Number(right)] as const;
  return sides.some(Number.isNaN) ? null : sides;
}

/** `p ⟹ q, r`: r may be meant under the premise, too. */
function loosePremise({ statements, text }: Notation): string | null {
  const at = statements.findIndex(({ body }) => body.kind === 'logic' && body.operator === '⟹');
  const first = statements[at];
  if (first?.body.kind !== 'logic') return null;
  const premise = new Set(namesOf(first.body.left));
  let before: Statement = first;
  for (const one of statements.slice(at + 1)) {
    const isListed = /^\s*,\s*(?:and\s+)?$/u.test(text.slice(before.range.end, one.range.start));
    if (!isListed || !isPlain(one) || one.label !== null || one.body.kind !== 'relation') return null;
    if (namesOf(one.body).some((name) => premise.has(name)))
      return 'what follows the comma may be meant under the premise before it';
    before = one;
  }
  return null;
}

/** `f(a, b) = 6, a = 2, b = 3` and `a = 2, b = 3, f(a, b) = 6`: relations of inputs alone beside others may say where these hold. */
function listedInputs({ statements }: Notation, { domain }: Goal): string | null {
  const inputs = new Set([...domain.sizes, ...domain.variables].map(({ name }) => name));
  const about = statements.map(({ body }) => isOfInputs(body, inputs));
  const change = about.findIndex((one) => one !== about[0]);
  const isListed = change > 0 && statements.every(isPlain) && about.slice(change).every((one) => one !== about[0]);
  if (!isListed) return null;
  return `its ${about[0] === true ? 'first' : 'last'} parts are about inputs alone, and may be meant as conditions on them`;
}

function isOfInputs(body: Expression, inputs: ReadonlySet<string>): boolean {
  if (body.kind !== 'relation') return false;
  // Of `x ∈ ℤ`, the set is not an input.
  const names = (body.operators[0] === '∈' ? body.operands.slice(0, 1) : body.operands).flatMap(namesOf);
  return names.length > 0 && callsIn(body).length === 0 && names.every((name) => inputs.has(name));
}
