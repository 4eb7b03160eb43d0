/**
 * The surface syntax of the notation: what the author wrote, before any name is resolved.
 *
 * Every node carries the range of the notation string it came from. Names keep their underscores
 * (`m_hat_t`, `A_ij`, `d_k`): only the symbol table can distinguish a name from an indexed name, so the
 * split happens in elaboration, not here.
 */
import type { Range } from '../../diagnostics/source.ts';

/** Relations in their canonical spelling. */
export type RelationOperator =
  '=' | '≠' | '<' | '≤' | '>' | '≥' | '≈' | '≡' | '∈' | '∉' | '⊆' | '⊂' | '⊇' | '⊃' | '∝' | '~' | '≪' | '≫' | ':=';

/** Operators on values in their canonical spelling. */
export type BinaryOperator =
  | '+'
  | '-'
  | '±'
  | '·'
  | '/'
  | '//'
  | 'mod'
  | '^'
  | '⊙'
  | '⊗'
  | '∘'
  | '@'
  | '∪'
  | '∩'
  | '\\'
  | '<<'
  | '>>'
  | '&'
  | '|'
  | 'xor-bits'
  | '++'
  | '×';

/** Connectives in their canonical spelling. */
export type LogicOperator = '∧' | '∨' | '⟹' | '⟺' | '⊕';

/** Operators with a bound index below them. */
export type BigOperatorName =
  | 'sum'
  | 'product'
  | 'max'
  | 'min'
  | 'argmax'
  | 'argmin'
  | 'mean'
  | 'expectation'
  | 'union'
  | 'intersection'
  | 'limit'
  | 'count';

/** A bound name with where it ranges: `i`, `i ∈ S`, `i = 0` (with an upper bound elsewhere), `i < n`. */
export interface Binder {
  readonly name: string;
  readonly relation: RelationOperator | null;
  readonly bound: Expression | null;
  readonly range: Range;
}

/** One argument of a call. */
export interface Argument {
  /** `kv_heads` in `GQA(kv_heads = num_heads)`, else null. */
  readonly label: string | null;
  readonly value: Expression;
}

/** One entry of `A[i, :, 0..n]`. */
export type IndexItem =
  | { readonly kind: 'at'; readonly value: Expression }
  | {
      readonly kind: 'slice';
      readonly from: Expression | null;
      readonly to: Expression | null;
      readonly inclusive: boolean;
    };

interface Node {
  readonly range: Range;
}

/** A node of the syntax, with its range in the text. */
export type Expression = Node &
  (
    | {
        readonly kind: 'number';
        /** exact decimal text without separators or scale words, e.g. "6e-8" */ readonly value: string;
        /** `ULP`, `bytes`, `GB`, `%`, … */ readonly unit: string | null;
      }
    | { readonly kind: 'string'; readonly value: string }
    | { readonly kind: 'boolean'; readonly value: boolean }
    | { readonly kind: 'infinity' }
    | { readonly kind: 'empty-set' }
    /** `text` keeps underscores and primes: `m_hat_t`, `θ'`. */
    | { readonly kind: 'name'; readonly text: string }
    /** `model.layers.weight` */
    | { readonly kind: 'member'; readonly object: Expression; readonly property: string }
    | { readonly kind: 'call'; readonly callee: Expression; readonly arguments: readonly Argument[] }
    /** `x_{i,j}`, `xᵢ`, `σ(x)_i` (subscript) or `A[i, j]` (bracket). */
    | {
        readonly kind: 'index';
        readonly base: Expression;
        readonly items: readonly IndexItem[];
        readonly style: 'subscript' | 'bracket';
      }
    | { readonly kind: 'transpose'; readonly operand: Expression }
    | { readonly kind: 'negate'; readonly operand: Expression }
    | { readonly kind: 'square-root'; readonly operand: Expression }
    | { readonly kind: 'factorial'; readonly operand: Expression }
    /** `juxtaposed` is true for a product without a sign (`2x`). `^` is power (also superscripts). */
    | {
        readonly kind: 'binary';
        readonly operator: BinaryOperator;
        readonly left: Expression;
        readonly right: Expression;
        readonly juxtaposed: boolean;
      }
    /** A chain: `0 < y ≤ 1` has three operands and two operators. */
    | {
        readonly kind: 'relation';
        readonly operands: readonly Expression[];
        readonly operators: readonly RelationOperator[];
      }
    | { readonly kind: 'not'; readonly operand: Expression }
    | {
        readonly kind: 'logic';
        readonly operator: LogicOperator;
        readonly left: Expression;
        readonly right: Expression;
      }
    /** `unique` is ∃!. */
    | {
        readonly kind: 'quantified';
        readonly quantifier: 'forall' | 'exists' | 'unique';
        readonly binders: readonly Binder[];
        readonly body: Expression;
      }
    /**
     * `Σ_{j<n} e`, `max_j x_j`, `∏_{k=1}^{K} …`. No binder at all means: over the free index of the body,
     * or over the elements of a tensor-valued body.
     */
    | {
        readonly kind: 'big';
        readonly operator: BigOperatorName;
        readonly binders: readonly Binder[];
        readonly upper: Expression | null;
        readonly condition: Expression | null;
        readonly body: Expression;
      }
    | { readonly kind: 'absolute'; readonly operand: Expression }
    /** `‖x‖`, `‖x‖_2`, `‖x‖_∞`; null is the Euclidean norm. */
    | { readonly kind: 'norm'; readonly operand: Expression; readonly order: Expression | null }
    | { readonly kind: 'floor'; readonly operand: Expression }
    | { readonly kind: 'ceiling'; readonly operand: Expression }
    /** `(a, b)` with two or more items; one item in parentheses is just that expression. */
    | { readonly kind: 'tuple'; readonly items: readonly Expression[] }
    | {
        readonly kind: 'list';
        readonly items: readonly Expression[];
        /** `[c, c, ..., c]` */ readonly ellipsis: boolean;
      }
    | { readonly kind: 'set'; readonly items: readonly Expression[]; readonly ellipsis: boolean }
    | { readonly kind: 'set-builder'; readonly element: Expression; readonly conditions: readonly Expression[] }
    | {
        readonly kind: 'interval';
        readonly low: Expression;
        readonly high: Expression;
        readonly lowOpen: boolean;
        readonly highOpen: boolean;
      }
    /** `0..n` (`inclusive` false) or `0..=n`, `{0, …, n}` is a set with ellipsis. */
    | {
        readonly kind: 'span';
        readonly from: Expression | null;
        readonly to: Expression | null;
        readonly inclusive: boolean;
      }
    | { readonly kind: 'inner-product'; readonly items: readonly Expression[] }
    | {
        readonly kind: 'conditional';
        readonly condition: Expression;
        readonly then: Expression;
        readonly otherwise: Expression;
      }
    /** `{ a if p; b if q; c otherwise }` and the multi-line brace form. `otherwise` null: cases must be exhaustive. */
    | {
        readonly kind: 'cases';
        readonly cases: readonly { readonly condition: Expression; readonly value: Expression }[];
        readonly otherwise: Expression | null;
      }
    /** `ℝ^n → ℝ` */
    | { readonly kind: 'function-type'; readonly from: Expression; readonly to: Expression }
  );

/**
 * One statement of a field. A field is a list of statements separated by newlines, `;` or (between
 * propositions) commas.
 */
export interface Statement {
  /** A proposition, an equation (`relation` with `=`/`:=`), a membership, or a bare expression. */
  readonly body: Expression;
  /** `for all i`, `∀ i ∈ S` after the statement. */
  readonly binders: readonly Binder[];
  /** `when p`, `if p`, `given p` after the statement. */
  readonly conditions: readonly Expression[];
  /** `where RMS(x) = …` after the statement: equations. */
  readonly definitions: readonly Expression[];
  /** `Label:` before the statement, kept visible. */
  readonly label: string | null;
  readonly range: Range;
}

/** A piece of the string that is not notation: a trailing comment, an English tail. Shown, never evidence. */
export interface ProsePart {
  readonly text: string;
  readonly range: Range;
  /** `comment`: a parenthesised or `#` remark after complete notation. `tail`: English that continues the sentence, so the notation before it is not the whole claim. */
  readonly role: 'comment' | 'tail';
}

/** Why reading stopped, with the offset for a caret. */
export interface NotationProblem {
  readonly message: string;
  readonly range: Range;
}

/**
 * What a formal field turned out to be.
 *
 * - `math`: the whole string is notation (comments aside).
 * - `partial`: a prefix is notation and an English `tail` follows. Never evidence.
 * - `prose`: not notation at all.
 */
export interface Notation {
  readonly status: 'math' | 'partial' | 'prose';
  readonly text: string;
  readonly statements: readonly Statement[];
  readonly prose: readonly ProsePart[];
  /** Where the notation ends when `status` is not `math`. */
  readonly problem: NotationProblem | null;
}

/** The role that the field needs its string to play; decides what counts as notation. */
export type FieldRole = 'formula' | 'proposition' | 'domain' | 'expression';
