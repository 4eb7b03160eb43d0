/**
 * Words in brackets, before a colon or after a # that do not set a condition. The words that do cannot be listed (`positive
 * inputs`, `n even`, `training only`), so a bracket counts as a remark only if each of its words is known to name a thing or
 * a manner.
 */
import { isRelation } from './levels.ts';
import type { Token } from './token.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const manners = words(`
  elementwise componentwise pointwise rowwise columnwise channelwise element component point row column channel wise per each
  numerically stable unstable naive fused vectorized batched tiled unrolled inplace broadcast broadcasted broadcasting
  standard classical usual canonical equivalent definition construction convention notation shorthand aka alias note see cf ref
  major bitwise exact exactly
`);
const things = words(`
  the a an of and number numbers count counts total size sizes length width height depth dimension dimensions shape axis axes
  index indices offset position positions step steps time times iteration iterations epoch epochs round rounds layer layers block
  blocks head heads group groups stage stages state states input inputs output outputs result results value values entry entries
  element elements row rows column columns scalar scalars vector vectors matrix matrices tensor tensors array arrays list sequence
  sequences string strings token tokens vocabulary embedding embeddings feature features channel channels batch batches sample
  samples example examples class classes label labels target targets logit logits score scores weight weights bias biases
  parameter parameters coefficient coefficients scale scales shift factor factors rate rates learning momentum decay gradient
  gradients loss losses error errors residual residuals query queries key keys mask masks kernel kernels filter filters
  stride padding window hidden model layer transformer network neuron neurons unit units gate gates activation activations
  probability probabilities distribution prior posterior likelihood mean means variance deviation moment moments sum sums product
  products difference differences ratio ratios norm norms distance distances dot cross inner outer identity root square squares power
  exponent logarithm function functions map operator transform projection rotation angle angles frequency frequencies phase amplitude
  temperature threshold constant constants numerator denominator quotient remainder series term terms bound bounds limit limits range
  memory buffer buffers bytes bits tensor cache checkpoint file data dataset point points center centers centroid centroids cluster
  clusters tree trees node nodes edge edges graph path paths leaf leaves hash hashes seed seeds noise signal image images pixel pixels
  token text word words prompt document documents attention softmax relu gelu silu sigmoid tanh rmsnorm layernorm batchnorm adam adamw
  sgd lora rope alibi gqa mlp ffn ln lm linear regression dense sparse forward backward pass prediction predictions ground truth
  energy measurement measurements observation observations margin radius speed velocity mass force price cost costs reward rewards
  action actions policy discount utility rating ratings player players corpus user users item items population individual individuals
  generation fitness offspring parent parents mutation covariance correlation confidence statistic interval proportion success
  successes failure failures trial trials event events arrival arrivals service queue capacity bandwidth throughput latency traffic load
  utilization intensity chunk hop frame frames audio color colors colour colours alpha opacity foreground background luminance
  brightness contrast gain simplex damping focusing regularization smoothing clipping forgetting exploration
  check checks selection compression optimizer
  task tasks dropout source reference upper lower mixing tying property average perfect standardization normalization predictor estimator boundary left right pseudo fit
`);
/** Nouns that, after names and adjectives, name a property or a law: `Jensen's inequality`, `zero preservation`. */
const properties = words(`
  inequality theorem lemma corollary identity law rule formula method algorithm trick equation definition preservation conservation
  summation addition multiplication division convolution concatenation accumulation reconstruction prediction rotation reduction
  centering correction
`);
const property = /(?:ity|ness|ance|metry|morphism|potence)$/;
const references = words(
  'eq eqn equation section sec fig figure table theorem lemma chapter appendix page step line note',
);
const separators = words(", . - / : ; & · '");
/** The words after one of these are a reason, not a condition. */
const reasons = words('from via by');
/** A sentence with one of these states a fact, not a condition. */
const verbs = words(`
  ensures preserves preserve distributes commutes increases decreases increase decrease recovers gives yields contribute contributes
  vanishes cancels matches means
`);
/** `is` after one of these begins such a sentence too. */
const results = words('output outputs result results loss gradient');
const restricting = words(`
  unless only except excluding without until while requires required assumes provided assuming valid holds must no not up to at
  on over under within after before during some any all
`);
/** Words that begin a condition in a comment or in a title. */
const conditional = words(
  'unless only except excluding until while requires assumes provided assuming valid holds must',
);
/** Words that restrict the inputs. */
const adjectives = words(`
  positive negative non nonnegative nonpositive nonzero zero finite infinite even odd large small huge tiny sorted normalized
  unit bounded training inference eval evaluation random integer integers integral distinct unique equal empty nonempty symmetric diagonal
  orthogonal invertible definite stochastic typical sufficiently independent fixed trained
`);

/** What a claim is said to be or not to be. */
const truths = words('true valid hold holds held correct right satisfied met proven proved verified guaranteed');
/** Words that deny or doubt what they follow. */
const denials = words(`
  false untrue wrong incorrect invalid violated broken fails failing refuted disproved disproven unproven unproved unverified
  conjecture conjectured conjectural doubtful dubious questionable
`);

/** Titles of what the author does not claim. */
const cautions: readonly RegExp[] = [
  /\b(?:buggy|previously|formerly|deprecated|obsolete|rejected|todo|fixme|anti-?patterns?|failure modes?)\b/iu,
  /\b(?:old|older|former) (?:behaviou?r|code|definition|formula|kernel|version)\b|^old$/iu,
  /\b(?:assumption|bug|counterexample|failure|goal|hypothes[ei]|issue|mutant|mutation|symptom|violation)s?$/iu,
];

const spelling = ({ text }: Token): string => text.toLowerCase();
const isVerb = (token: Token): boolean => token.kind === 'keyword' && (token.text === 'is' || token.text === 'are');
const isClauseWord = (token: Token): boolean => token.kind === 'keyword' && !isVerb(token);
const isWords = (tokens: readonly Token[]): boolean =>
  tokens.length > 0 &&
  tokens.every(
    (token) =>
      (token.kind === 'word' && !restricting.has(spelling(token))) ||
      token.kind === 'number' ||
      isVerb(token) ||
      separators.has(token.text),
  );

/** Whether `tokens`, which are in parentheses, do not restrict when the notation holds. */
export function isHarmless(tokens: readonly Token[]): boolean {
  const verb = tokens.findIndex((token) => isVerb(token) || verbs.has(spelling(token)));
  const [subject, said] = [tokens[verb - 1], tokens[verb]];
  if (subject && said && isWords(tokens)) return !isVerb(said) || results.has(spelling(subject));
  if (tokens[0] && spelling(tokens[0]) === 'never') return isWords(tokens) && !denies(tokens);
  const reason = tokens.findIndex((token) => reasons.has(spelling(token)));
  if (reason > 0 && isHarmless(tokens.slice(0, reason))) return isWords(tokens.slice(reason));
  return namesProperty(tokens) || (tokens.length > 0 && tokens.every((_, at) => isHarmlessAt(tokens, at)));
}

/** `non-negativity`, `scale invariance`, `Cauchy-Schwarz inequality`. */
function namesProperty(tokens: readonly Token[]): boolean {
  const last = tokens.at(-1);
  if (!last || tokens.length > 6 || !isWords(tokens)) return false;
  return (property.test(spelling(last)) && last.text.length > 5) || properties.has(spelling(last));
}

function isHarmlessAt(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (!token) return false;
  const text = spelling(token);
  if (token.kind === 'number') {
    const before = tokens.slice(0, at).findLast(({ text: mark }) => !separators.has(mark));
    return before !== undefined && references.has(spelling(before));
  }
  if (token.kind === 'symbol') return separators.has(text) || (token.spelled && token.text === '∧');
  return (
    token.kind === 'word' && (manners.has(text) || things.has(text) || references.has(text) || joinsName(tokens, at))
  );
}

/** `Beta-Binomial`, `Cauchy-Schwarz`. */
function joinsName(tokens: readonly Token[], at: number): boolean {
  const isName = (token: Token | undefined): boolean => /^\p{Lu}\p{Ll}+$/u.test(token?.text ?? '');
  const joined = (step: -1 | 1): boolean => tokens[at + step]?.text === '-' && isName(tokens[at + 2 * step]);
  return isName(tokens[at]) && (joined(1) || joined(-1));
}

/** Whether `tokens` before a colon are a title, and do not restrict the inputs. */
export function isLabel(tokens: readonly Token[]): boolean {
  return (
    tokens.some(({ kind, text }) => kind === 'word' && text.length > 2) &&
    !setsCondition(tokens) &&
    !isCaution(tokens) &&
    !tokens.some((token) => adjectives.has(spelling(token)))
  );
}

/** `Known bug`, `Old formula`, `Failure mode`: what follows is not what the author says is true. */
function isCaution(title: readonly Token[]): boolean {
  const text = title.map((token, i) => (i > 0 && token.spaced ? ` ${token.text}` : token.text)).join('');
  return cautions.some((caution) => caution.test(text));
}

/** `not true`, `never holds`, `conjecture`. */
function denies(tokens: readonly Token[]): boolean {
  const isNegation = (token: Token | undefined): boolean =>
    token?.text === '¬' || token?.text.toLowerCase() === 'never';
  return tokens.some(
    (token, at) =>
      (token.kind === 'word' && denials.has(spelling(token))) ||
      (truths.has(spelling(token)) && tokens.slice(0, at).some(isNegation)),
  );
}

/** Whether words after a # deny the notation before them, or restrict when the notation before them holds. */
export function setsCondition(tokens: readonly Token[]): boolean {
  if (denies(tokens)) return true;
  return tokens.some(
    (token) =>
      isClauseWord(token) ||
      (token.kind === 'word' && conditional.has(spelling(token))) ||
      (token.kind === 'symbol' &&
        !token.spelled &&
        (token.text === '∀' || token.text === '¬' || isRelation(token.text))),
  );
}
