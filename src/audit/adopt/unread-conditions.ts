/**
 * Conditions that are written beside a claim or its equation, where pv reads none: `when: x ≥ 1`, `assumptions: [x is sorted]`, a
 * precondition in words. An input that breaks the claim may not meet them.
 */
import { quoted } from '../../base/text.ts';
import type { JsonValue } from '../../base/canonical-json.ts';
import type { Contract, Equation } from '../../contract/contract.ts';
import type { Goal } from '../../contract/goal.ts';
import { knownKeys } from '../../contract/schema/validate.generated.ts';
import { readNotation } from '../../math/notation/read.ts';

type JsonMapping = { readonly [key: string]: JsonValue };

/** A text with the key that it is written under. */
interface Beside {
  readonly key: string;
  readonly value: JsonValue;
}

/** Why what breaks the claim decides nothing; null if no condition is written beside it. */
export function unreadCondition(goal: Goal, contract: Contract): string | null {
  const { domain, applications, claim } = goal;
  const names = [...domain.sizes, ...domain.variables].map(({ name }) => name);
  const used = new Set(applications.map(({ equation }) => equation));
  const equations = contract.equations.filter(({ name }) => used.has(name) || claim.startsWith(`${name}.`));
  const written = writtenClaim(goal, contract);
  const kind = goal.source === 'obligation' ? 'obligation' : 'falsificationTest';
  const sections = contract.data['equations'];
  const own = [
    ...besideIn(written, kind, contract),
    ...equations.flatMap(({ name }) =>
      besideIn(isMapping(sections) ? sections[name] : undefined, 'equation', contract),
    ),
  ];
  const found = own.find((one) => setsCondition(one, names)) ?? besideAll(contract).find((one) => declares(one, names));
  if (found) return `its condition under '${found.key}' is not read`;
  const words = equations.flatMap(wordsOfPreconditions)[0];
  if (words !== undefined) return `the precondition ${quoted(words, 60)} is prose`;
  if (!written) return null;
  const { type, applies_to: target } = written;
  if (typeof type === 'string' && notOfAll.test(type)) return `its type '${type}' may not be about all inputs`;
  if (typeof target === 'string' && /[^\w.-]/u.test(target.trim()))
    return `what it applies to, ${quoted(target, 60)}, is not read`;
  if (isConditional(goal.formal)) return null;
  const restricted = headings.find((key) => isRestricted(textOf(written[key] ?? ''), names));
  return restricted === undefined
    ? null
    : `its ${restricted}, ${quoted(textOf(written[restricted] ?? ''), 60)}, may restrict it`;
}

/** What says in words what a claim or a test is about. */
const headings = ['property', 'rule', 'name', 'test'] as const;

/** The mapping of an obligation or a test, as it is written. */
export function writtenClaim({ source, claim }: Goal, contract: Contract): JsonMapping | undefined {
  if (source === 'statement') return undefined;
  const { data, obligations, falsificationTests } = contract;
  const [list, claims] =
    source === 'obligation'
      ? [data['proof_obligations'], obligations]
      : [data['falsification_tests'], falsificationTests];
  return Array.isArray(list) ? list.filter(isMapping)[claims.findIndex(({ id }) => id === claim)] : undefined;
}

export const isMapping = (value: JsonValue | undefined): value is JsonMapping =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Keys that are known, whose values are not read as notation. */
const inWords: ReadonlySet<string> = new Set(['description', 'statement', 'prose', 'rationale', 'assumes']);
/** Keys that are read as texts, and may be mappings in the file. */
const conditions: ReadonlySet<string> = new Set(['preconditions', 'requires']);

/** The keys of an equation, a claim or a test that are not read. */
function besideIn(written: JsonValue | undefined, kind: string, contract: Contract): readonly Beside[] {
  if (!isMapping(written)) return [];
  const unread = unreadIn(written, kind, contract).filter(({ key }) => !inWords.has(key));
  const known = Object.entries(written).filter(
    ([key, value]) => inWords.has(key) || (conditions.has(key) && [value].flat().some(isMapping)),
  );
  return [...unread, ...known.map(([key, value]) => ({ key, value }))];
}

/** What is written for all equations of the file. */
function besideAll(contract: Contract): readonly Beside[] {
  const { data } = contract;
  const { metadata } = data;
  const ofMetadata = isMapping(metadata) ? unreadIn(metadata, 'metadata', contract) : [];
  return [...unreadIn(data, 'contract', contract), ...ofMetadata].filter(({ key }) => about.test(key));
}

/** Not those of another spelling, which are read. */
function unreadIn(mapping: JsonMapping, kind: string, { uninterpreted }: Contract): readonly Beside[] {
  const known = new Set(knownKeys[kind] ?? []);
  const unread = (key: string): boolean =>
    !known.has(key) && uninterpreted.some(({ value }) => value === key || value.endsWith(`.${key}`));
  return Object.entries(mapping).flatMap(([key, value]) => (unread(key) ? [{ key, value }] : []));
}

const about =
  /^(?:assum|constraint|parameter|param|variable|var|domain|(?:pre)?condition|definition|symbol|notation|scope|input|type|constant|bound|range|given|where|require|hypothes)/iu;
/** Keys that say where a claim holds, whatever is written there. */
const conditionKey =
  /^(?:when|if|unless|except|provided|where|given|(?:pre)?conditions?|assum\w*|hypothes[ei]s|premises?|requires|constraints?|restrict\w*|domain|valid|holds|applies|quantif\w*|forall|for|subject|regime|only|suppose|scope)(?:$|[_-])|[_-](?:domain|constraints|ranges?|assumptions|conditions|preconditions|scope|hypotheses)$/iu;
const outcomeKey = /^(?:expect\w*|holds|status|result|verdict|outcome|polarity)$/iu;
const denied = /^(?:fail\w*|false|violat\w*|refuted|disproved|disproven|falsified|invalid|conjecture\w*)$/iu;
const everything = /^(?:(?:for )?(?:all|any|every)(?: inputs?| values?| x)?|always|none|n\/a|true|)$/iu;

function setsCondition({ key, value }: Beside, names: readonly string[]): boolean {
  const text = textOf(value).trim();
  if ((outcomeKey.test(key) && denied.test(text)) || (/^negat/iu.test(key) && text === 'true')) return true;
  if (/(?:^|_|d)type$/iu.test(key) && kind.test(text)) return true;
  return (conditionKey.test(key) && !everything.test(text)) || isAssumption(text) || restricts(text, names);
}

/** Of what is written for the whole file, words alone are a condition only if they say what kind of number is meant. */
function declares({ key, value }: Beside, names: readonly string[]): boolean {
  const text = textOf(value);
  const isWords = conditionKey.test(key) && !relation.test(text);
  return restricts(text, names) || (isWords && (kind.test(text) || isAssumption(text)));
}

const kinds =
  'integers?|int\\d*|uint\\d*|[iu]\\d+|[iu]size|natural|whole|positive|negative|non-?negative|non-?zero|non-?positive|sorted|ascending|normali[sz]ed|unit|probabilit\\w*|even|odd|bool\\w*|binary|at least|at most|between|greater|less|larger|smaller|above|below|within|exceeds?|distinct|unique|counts?|percent\\w*|fractions?|one-hot|powers?';
const kind = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${kinds})(?![\\p{L}\\p{N}_])`, 'iu');
const relation = /[≤≥<>≠∈]|!=|\\(?:geq?|leq?|in|neq?|gt|lt)\b/u;

const isAssumption = (text: string): boolean =>
  /\b(?:assum(?:e|es|ed|ing|ptions?)|(?:valid|holds|true) (?:for|when|if|only|on)|only (?:for|if|when|on|valid|holds)|integers?|must be|provided|unless|except|guarantee[sd]?)\b/iu.test(
    text,
  );

const word = /[\p{L}_][\p{L}\p{M}\p{N}_']*/gu;
const bound = new RegExp(`^\\s*(?:${relation.source}|in\\b)`, 'u');
const named = /^\s*(?:[:,]|is\b|are\b|must\b|be\b)/u;

/** Whether `text` bounds one of `names`, or says what kind of number it is. */
function restricts(text: string, names: readonly string[]): boolean {
  return [...text.matchAll(word)].some(({ 0: name, index }) => {
    if (!names.includes(name)) return false;
    const after = /^[^.;\n]{0,40}/u.exec(text.slice(index + name.length))?.[0] ?? '';
    const isBoundBefore = /[\d.]\s*(?:[≤≥<>]=?)\s*$/u.test(text.slice(0, index));
    return (
      isBoundBefore ||
      bound.test(after) ||
      (named.test(after) && (kind.test(after) || /(?<![\p{L}\p{N}_])\d/u.test(after)))
    );
  });
}

/** Types of statements that one input does not refute, or that say what does not hold. */
const notOfAll =
  /exist|liveness|eventual|probab|statist|stochast|asympt|counter-?example|\bnegated|conjectur|heuristic|empiric/iu;
const clause =
  /\b(?:for|when|whenever|if|given|provided|assuming|unless|except|only|on|where|while|under|with|random|over)\b(.+)$/isu;

/** `monotone for x ≥ 0`, `grows on positive integers`, `Integers: it grows`. */
function isRestricted(property: string, names: readonly string[]): boolean {
  const said = clause.exec(property)?.[1] ?? /^[^:]{1,40}(?=:\s)/u.exec(property)?.[0];
  return said !== undefined && (kind.test(said) || restricts(said, names) || relation.test(said));
}

/** Whether the claim has a condition of its own. */
function isConditional(formal: string): boolean {
  const { statements } = readNotation(formal, 'proposition');
  return statements.some(
    ({ body, binders, conditions }) =>
      binders.length + conditions.length > 0 || (body.kind === 'logic' && body.operator === '⟹'),
  );
}

/** Words that exclude nothing that is drawn. */
const saysLittle =
  /\b(?:finite|nan|infinit\w*|empty|null|none|allocated|contiguous|aligned|initiali[sz]ed|loaded|exists?|(?:same|equal|match\w*|consistent|compatible) (?:lengths?|shapes?|sizes?|dimensions?))\b/iu;

function wordsOfPreconditions({ preconditions }: Equation): readonly string[] {
  return preconditions.flatMap(({ text, notation: { status } }) =>
    status === 'prose' && !saysLittle.test(text) ? [text] : [],
  );
}

/** `{ x: { type: int, min: 1 } }` as `x: type: int, min: 1`. */
function textOf(value: JsonValue): string {
  if (typeof value === 'string') return value.slice(0, 2_000);
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  if (!isMapping(value)) return value === null ? '' : JSON.stringify(value);
  return Object.entries(value)
    .map(([key, part]) => `${key}: ${textOf(part)}`)
    .join(', ');
}
