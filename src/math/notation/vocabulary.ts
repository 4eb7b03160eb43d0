import { greekNames } from '../../base/greek.ts';

/** ASCII, LaTeX and Unicode spellings of one symbol, longest first where one is a prefix of another. */
export const symbolSpellings: readonly (readonly [spelling: string, symbol: string])[] = [
  ['<=>', '⟺'],
  ['<->', '⟺'],
  ['<==>', '⟺'],
  ['===', '='],
  ['==>', '⟹'],
  ['-->', '→'],
  ['...', '…'],
  ['..=', '..='],
  ['+/-', '±'],
  ['==', '='],
  ['!=', '≠'],
  ['/=', '≠'],
  ['<>', '≠'],
  ['<=', '≤'],
  ['>=', '≥'],
  ['=>', '⟹'],
  ['->', '→'],
  [':=', ':='],
  ['~=', '≈'],
  ['=~', '≈'],
  ['≃', '≈'],
  ['≅', '≈'],
  ['≔', ':='],
  ['&&', '∧'],
  ['<<', '<<'],
  ['>>', '>>'],
  ['//', '//'],
  ['**', '^'],
  ['++', '++'],
  ['..', '..'],
  ['::', '.'],
  ['⇒', '⟹'],
  ['⟹', '⟹'],
  ['⇔', '⟺'],
  ['⟺', '⟺'],
  ['↔', '⟺'],
  ['⟶', '→'],
  ['→', '→'],
  ['↦', '→'],
  ['−', '-'],
  ['–', '-'],
  ['×', '×'],
  ['·', '·'],
  ['⋅', '·'],
  ['∙', '·'],
  ['*', '·'],
  ['∗', '·'],
  ['÷', '/'],
  ['∕', '/'],
  ['≤', '≤'],
  ['≥', '≥'],
  ['⩽', '≤'],
  ['⩾', '≥'],
  ['≠', '≠'],
  ['≈', '≈'],
  ['≡', '≡'],
  ['∈', '∈'],
  ['∉', '∉'],
  ['⊆', '⊆'],
  ['⊂', '⊂'],
  ['⊇', '⊇'],
  ['⊃', '⊃'],
  ['∝', '∝'],
  ['∼', '~'],
  ['~', '~'],
  ['≪', '≪'],
  ['≫', '≫'],
  ['∧', '∧'],
  ['⋀', '∧'],
  ['∨', '∨'],
  ['⊕', '⊕'],
  ['¬', '¬'],
  ['!', '!'],
  ['∀', '∀'],
  ['∄', '∄'],
  ['∃', '∃'],
  ['Σ', 'Σ'],
  ['∑', 'Σ'],
  ['∏', '∏'],
  ['Π', '∏'],
  ['⋃', '⋃'],
  ['⋂', '⋂'],
  ['√', '√'],
  ['∞', '∞'],
  ['∅', '∅'],
  ['‖', '‖'],
  ['∥', '‖'],
  ['|', '|'],
  ['∣', '|'],
  ['⌊', '⌊'],
  ['⌋', '⌋'],
  ['⌈', '⌈'],
  ['⌉', '⌉'],
  ['⟨', '⟨'],
  ['⟩', '⟩'],
  ['〈', '⟨'],
  ['〉', '⟩'],
  ['⊙', '⊙'],
  ['⊗', '⊗'],
  ['∘', '∘'],
  ['∪', '∪'],
  ['∩', '∩'],
  ['∖', '\\'],
  ['±', '±'],
  ['…', '…'],
  ['⋯', '…'],
  ['⊤', '⊤'],
  ['(', '('],
  [')', ')'],
  ['[', '['],
  [']', ']'],
  ['{', '{'],
  ['}', '}'],
  [',', ','],
  [';', ';'],
  [':', ':'],
  ['.', '.'],
  ['?', '?'],
  ['_', '_'],
  ['+', '+'],
  ['-', '-'],
  ['/', '/'],
  ['^', '^'],
  ['@', '@'],
  ['%', '%'],
  ['&', '&'],
  ['=', '='],
  ['<', '<'],
  ['>', '>'],
];

/** Spelled-out Greek letters; they count as one letter. Σ and Π are not letters here, but the sum and the product. */
export const greekWords: ReadonlyMap<string, string> = new Map([
  ...Array.from(greekNames, ([letter, name]) => [name, letter] as const).filter(([, letter]) => !'ΣΠ'.includes(letter)),
  ['varepsilon', 'ε'],
  ['varphi', 'φ'],
]);

/** LaTeX commands for symbols; Greek ones mean the letter. */
export const latexSymbols: ReadonlyMap<string, string> = new Map(
  Object.entries({
    sum: 'Σ',
    prod: '∏',
    in: '∈',
    notin: '∉',
    le: '≤',
    leq: '≤',
    ge: '≥',
    geq: '≥',
    ne: '≠',
    neq: '≠',
    approx: '≈',
    equiv: '≡',
    sim: '~',
    propto: '∝',
    cdot: '·',
    times: '×',
    odot: '⊙',
    otimes: '⊗',
    circ: '∘',
    pm: '±',
    to: '→',
    rightarrow: '→',
    Rightarrow: '⟹',
    implies: '⟹',
    iff: '⟺',
    Leftrightarrow: '⟺',
    forall: '∀',
    exists: '∃',
    land: '∧',
    wedge: '∧',
    lor: '∨',
    vee: '∨',
    lnot: '¬',
    neg: '¬',
    oplus: '⊕',
    cup: '∪',
    cap: '∩',
    bigcup: '⋃',
    bigcap: '⋂',
    setminus: '\\',
    subset: '⊂',
    subseteq: '⊆',
    supset: '⊃',
    supseteq: '⊇',
    infty: '∞',
    emptyset: '∅',
    sqrt: '√',
    lfloor: '⌊',
    rfloor: '⌋',
    lceil: '⌈',
    rceil: '⌉',
    langle: '⟨',
    rangle: '⟩',
    lVert: '‖',
    rVert: '‖',
    Vert: '‖',
    vert: '|',
    mid: '|',
    ldots: '…',
    dots: '…',
    cdots: '…',
    ll: '≪',
    gg: '≫',
    top: '⊤',
    bmod: 'mod',
    frac: 'frac',
  }),
);

/** Words that are operators. `exists(` and `not(` with a parenthesis attached are distinguished in the lexer. */
export const wordSymbols: ReadonlyMap<string, string> = new Map(
  Object.entries({
    and: '∧',
    AND: '∧',
    or: '∨',
    OR: '∨',
    xor: '⊕',
    XOR: '⊕',
    not: '¬',
    NOT: '¬',
    implies: '⟹',
    iff: '⟺',
    in: '∈',
    mod: 'mod',
    forall: '∀',
    Forall: '∀',
    exists: '∃',
    inf: '∞',
    infinity: '∞',
    Infinity: '∞',
    INF: '∞',
    equals: '=',
    notin: '∉',
  }),
);

/** English phrases that are operators or keywords, as their lower-case words. */
export const phrases: readonly (readonly [words: readonly string[], kind: 'symbol' | 'keyword', text: string])[] = [
  [['if', 'and', 'only', 'if'], 'symbol', '⟺'],
  [['for', 'all'], 'symbol', '∀'],
  [['for', 'any'], 'symbol', '∀'],
  [['for', 'each'], 'symbol', '∀'],
  [['for', 'every'], 'symbol', '∀'],
  [['for_all'], 'symbol', '∀'],
  [['is', 'at', 'most'], 'symbol', '≤'],
  [['is', 'at', 'least'], 'symbol', '≥'],
  [['at', 'most'], 'symbol', '≤'],
  [['at', 'least'], 'symbol', '≥'],
  [['is', 'less', 'than'], 'symbol', '<'],
  [['is', 'greater', 'than'], 'symbol', '>'],
  [['less', 'than'], 'symbol', '<'],
  [['greater', 'than'], 'symbol', '>'],
  [['is', 'equal', 'to'], 'symbol', '='],
  [['is', 'approximately'], 'symbol', '≈'],
  [['is', 'in'], 'symbol', '∈'],
  [['not', 'in'], 'symbol', '∉'],
  [['such', 'that'], 'keyword', 'given'],
  [['whenever'], 'keyword', 'when'],
  [['provided', 'that'], 'keyword', 'when'],
  [['provided'], 'keyword', 'when'],
  [['assuming', 'that'], 'keyword', 'when'],
  [['assuming'], 'keyword', 'when'],
];

/** Words that no name can be. */
export const keywords: ReadonlySet<string> = new Set([
  'if',
  'else',
  'otherwise',
  'then',
  'when',
  'where',
  'given',
  'with',
  'for',
  'is',
  'are',
  'finite',
]);

/** `%` is read apart. One-letter units are left out: `2s` is a product. */
export const units: ReadonlySet<string> = new Set(
  'ULP ULPs ulp ulps byte bytes bit bits KB MB GB TB PB kB KiB MiB GiB TiB ns us µs μs ms sec secs second seconds minutes hours tok token tokens param params step steps sample samples elements FLOP FLOPs GFLOP GFLOPs TFLOP TFLOPs PFLOP FLOPS GFLOPS TFLOPS Hz kHz MHz GHz dB'.split(
    ' ',
  ),
);
/** What a unit may be divided by: `GB/s`, `tokens/step`. */
export const unitDivisors: ReadonlySet<string> = new Set([
  's',
  'sec',
  'second',
  'step',
  'token',
  'param',
  'parameter',
  'element',
  'weight',
]);

/** Sets of numbers whose positive part is written `ℝ⁺`, `R_>0`, `Z+`. */
export const numberSets: ReadonlySet<string> = new Set(['R', 'ℝ', 'Z', 'ℤ', 'N', 'ℕ', 'Q', 'ℚ']);

/** Names that are types when used alone. */
export const typeNames: ReadonlySet<string> = new Set(
  'R ℝ Z ℤ N ℕ Q ℚ C ℂ F16 F32 F64 BF16 FP8 FP16 FP32 FP64 f16 f32 f64 bf16 F32_ext F64_ext F16_ext BF16_ext bool Bool boolean Boolean String string str usize isize u8 u16 u32 u64 i8 i16 i32 i64 int float Int Nat Real'.split(
    ' ',
  ),
);

/** Function words of English: none of them names anything. */
export const englishWords: ReadonlySet<string> = new Set(
  'the an of to is are be been was were by on at as it its than that this these those from has have had must should shall will would can may does do each every some no via into onto between within without under over after before during until while because since so but only also both either neither never always same such there which who whose then thus hence and or not'.split(
    ' ',
  ),
);

/** Functions that people also write without parentheses or with a space before them. */
export const functionWords: ReadonlySet<string> = new Set(
  'exp log ln log2 log10 sin cos tan tanh sinh cosh sqrt abs max min sum prod mean argmax argmin softmax sigmoid floor ceil round sign'.split(
    ' ',
  ),
);

const short = /^[\p{L}∂∇]\p{M}*\d*'*(?:_[\p{L}\p{Nd}]{1,4})*'*$/u;
const greekWord = /^([A-Za-z]+)\d*'*(?:_[\p{L}\p{Nd}]{1,4})*$/u;

/** One letter with digits, primes or a short index, or a Greek letter by name: next to another, it forms a product. */
export function isShortName(text: string): boolean {
  if (short.test(text)) return true;
  const match = greekWord.exec(text);
  return match !== null && greekWords.has(match[1] ?? '');
}

/** Looks like an English word: letters only, at most the first one large, three or more. */
export function isWordLike(text: string): boolean {
  return /^[A-Za-z][a-z]{2,}$/.test(text) && !greekWords.has(text) && !functionWords.has(text) && !typeNames.has(text);
}
