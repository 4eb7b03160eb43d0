/** Whether a piece of a text can leave it without a condition leaving with it, as far as its words show. */

/** Relations, operations and numbers: notation that pv does not read, and that says more than a name. */
const notation = /[<>≤≥≠≈∈∉≪≫∝~×·*^%+√|‖]|\s\/\s|==|(?<![\p{L}\p{N}_.-])\p{N}/u;
/** `W (even)`: a kind of number. */
const kinds =
  /\b(?:even|odd|(?:non-?)?(?:positive|negative|zero|empty|finite)|integers?|integral|whole|natural|binary|boolean|sorted|ordered|distinct|unique|orthogonal|symmetric|invertible|normali[sz]ed|standardi[sz]ed|powers?|multiples?|divisible|divides|u?int\d*|[iu]\d+|b?fp?\d+|float\d*|double)\b/iu;
/** `Shared embedding matrix`: more than a number. */
const structures =
  /\b(?:vectors?|matrix|matrices|tensors?|lists?|sets?|sequences?|strings?|arrays?|distributions?|probabilit(?:y|ies)|functions?)\b/iu;
const conditions =
  /\b(?:must|only|unless|except|without|at (?:least|most)|between|exceeds?|(?:less|more|greater|smaller|larger) than|fewer|above|below|equals?|if|when|clamped|clipped)\b/iu;

/** `(after normalization)`: of another quantity, or of more than one. */
const others = /\b(?:after|before|during|once|under|over|across|modes?|both|each|every|all|any)\b/iu;

/** `(wrong)`, `(conjecture)`: what the author does not claim, or not for certain. */
const denials =
  /\b(?:not|never|no|none|false|untrue|wrong|incorrect|invalid|violated|violations?|broken|fail(?:s|ed|ing|ures?)?|refuted|disprove[dn]|un(?:proven|proved|verified|tested|clear|sure)|conjecture[ds]?|conjectural|hypothes[ie]s|doubtful|dubious|questionable|maybe|perhaps|possibly|probably|likely|supposedly|allegedly|hopefully|should|may|might|todo|tbd|fixme|typically|usually|normally|mostly|often|sometimes|rarely|roughly|approximately|almost|in practice)\b|\?/iu;

/** `(for positive x)`, `(in float64)`, but not `(positive)`, which repeats the claim. */
const restrictions = new RegExp(
  `\\b(?:for|in|on|at|where|with|given|assuming|using|within)\\b.*(?:${kinds.source})`,
  'iu',
);

/** Of words in a domain or a formula: what stays says what its names are. */
export function saysNoMore(text: string): boolean {
  return limitsNothing(text) && !structures.test(text);
}

/** Of words after a claim, whose inputs are declared. */
export function limitsNothing(text: string): boolean {
  return !notation.test(text) && !kinds.test(text) && !conditions.test(text) && !denials.test(text);
}

/** Of a remark in brackets after a claim, which repeats the claim more often than it limits it: `(non-negative)`. */
export function remarksOnly(text: string): boolean {
  const isRemark = text.startsWith('(') && text.endsWith(')');
  const sets = [notation, conditions, others, denials, restrictions];
  return isRemark && !sets.some((pattern) => pattern.test(text));
}

/** Whether a name says that it is not a number: `contract_set`. */
export function namesMore(name: string): boolean {
  return /(?:^|_)(?:sets?|lists?|maps?|tensors?|matrix|matrices|mat|vectors?|vec|tokens|text|str|fn|func|function)$/iu.test(
    name,
  );
}
