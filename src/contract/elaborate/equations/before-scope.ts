import { setsCondition } from '../../../math/notation/harmless-remarks.ts';
import { lex } from '../../../math/notation/lex.ts';
import type { Expression } from '../../../math/notation/syntax.ts';
import type { FormalText } from '../../contract.ts';

/** Words that say where, when or how closely the claim before them holds: without them it claims no less. */
const openers =
  /^(?:for|when|where|if|given|with|within|after|before|during|under|over|across|at|in|on|per|up to|as|all|any|every|each)\b|^\(/iu;
/** `a / b = 128 and matches the config`: what follows is one claim more, so the whole is false where the first part is. */
const joined = /^and\s+\p{Ll}{2,}\s/u;
/** `4 < 8 bytes for the same data`: the unit of both sides, and then the scope. */
const unit = /^(?:bytes?|bits?|tokens?|params?|parameters|steps?|samples|elements|[KMGT]i?B|ms|seconds?|FLOPs?)\s+/u;
/**
 * Of those, the ones that can only take inputs away: what holds without them holds with them. `after normalization` is not among them: it
 * may speak of another quantity than the notation does.
 */
const narrowing = /^(?:for|when|where|if|given)\b/iu;
/** The claim holds each time. Not so `in each row`: the notation before it may be about the whole. */
const eachTime =
  /^(?:at|in|on|for|over|across)\s+(?:all|any|every|each)\s+(?:(?:training|optimi[sz]er|optimi[sz]ation|time|single)[\s-]+){0,2}(?:steps?|iterations?|epochs?|rounds?|generations?|times?|calls?)[.)]?$/iu;
/** `for all averaging modes` may be about more than the formula has; `for all non-empty S` and `for all valid inputs` are not. */
const overMore = /\b(?:all|any|every|each|both)\b/iu;
const overInputs =
  /^for\s+(?:all|any|every|each)\s+(?:[\p{L}-]+\s+){0,3}?(?:\p{L}\p{M}?(?:_?\p{N}*)|inputs?|values?|vectors?|matrices|tensors?|points|pairs|samples?|sets?|data|datasets?|partitions?|binnings?|bins|assignments?|predictions?|elements|entries)(?:\s*,\s*\p{L}\p{M}?)*[.)]?$/iu;
/** These add a claim, or turn it round. */
const additions = /\b(?:and also|but|except|unless|not|never|fails?|otherwise|iff|only)\b/iu;

/** `f(x) ≥ 1 — the loop makes progress`: why the claim matters, unless the words set a condition or deny it. */
const explains = (text: string): boolean => /^[—–]\s/u.test(text) && !setsCondition(lex(text.slice(1)));

const isComparison = (part: Expression): boolean =>
  part.kind === 'relation' && part.operators.every((one) => ['<', '≤', '>', '≥', '='].includes(one));

/**
 * The notation of a claim that ends with words about its scope: `G(S) ≥ 0 for all non-empty S`. The words are left out, so it may
 * claim more than its author does. Null for a claim that is not of this form.
 */
export function beforeScope(formal: FormalText): FormalText | null {
  const { status, statements, prose } = formal.notation;
  const [tail, more] = prose.filter(({ role }) => role === 'tail');
  const last = statements.at(-1);
  if (status !== 'partial' || !tail || more || !last || tail.range.start < last.range.end) return null;
  const words = isComparison(last.body) ? tail.text.replace(unit, '') : tail.text;
  const opens = openers.test(words) || (joined.test(words) && isComparison(last.body) && last.conditions.length === 0);
  if (!explains(tail.text) && (!opens || additions.test(words))) return null;
  return { ...formal, notation: { ...formal.notation, status: 'math' } };
}

/** Whether the words after the notation of `formal` can only exclude inputs. */
export function narrowsOnly({ notation: { prose } }: FormalText): boolean {
  return prose.every(
    ({ role, text }) =>
      role !== 'tail' ||
      eachTime.test(text) ||
      (narrowing.test(text) && (!overMore.test(text) || overInputs.test(text))),
  );
}
