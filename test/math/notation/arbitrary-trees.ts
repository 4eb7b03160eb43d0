import fc from 'fast-check';
import type {
  Argument,
  BigOperatorName,
  BinaryOperator,
  Binder,
  Expression,
  IndexItem,
  LogicOperator,
  RelationOperator,
} from '../../../src/math/notation/syntax.ts';

const range = { start: 0, end: 0 };
const name = (text: string): Expression => ({ kind: 'name', text, range });

const names = fc
  .constantFrom(
    'x',
    'y',
    'n',
    'α',
    'θ',
    "freq'_i",
    'd_k',
    'm_hat_t',
    'A_ij',
    'seq_len',
    'hidden',
    'β_1',
    'ŷ',
    'Q',
    'ℝ⁺',
    'R_≥0',
    'NDCG@k',
    'F32',
  )
  .map(name);
const shortNames = fc.constantFrom('i', 'j', 'k', 't');
const numbers: fc.Arbitrary<Expression> = fc.oneof(
  fc
    .constantFrom('0', '1', '0.5', '6e-8', '2000', '3.25', '1e9')
    .map((value): Expression => ({ kind: 'number', value, unit: null, range })),
  fc.constantFrom('ULP', '%', 'GB/s', 'bytes').map((unit): Expression => ({ kind: 'number', value: '4', unit, range })),
);
const leaves: fc.Arbitrary<Expression> = fc.oneof(
  { weight: 5, arbitrary: names },
  { weight: 3, arbitrary: numbers },
  fc.constant<Expression>({ kind: 'infinity', range }),
  fc.constant<Expression>({ kind: 'empty-set', range }),
  fc.constant<Expression>({ kind: 'boolean', value: true, range }),
  fc.constant<Expression>({ kind: 'string', value: 'adamw', range }),
);

const operators: readonly BinaryOperator[] = [
  '+',
  '-',
  '±',
  '·',
  '/',
  '//',
  'mod',
  '^',
  '⊙',
  '⊗',
  '∘',
  '@',
  '∪',
  '∩',
  '\\',
  '<<',
  '>>',
  '&',
  '|',
  '++',
  '×',
];
const relations: readonly RelationOperator[] = ['=', '≠', '<', '≤', '>', '≥', '≈', '≡', '∝', ':=', '≪'];
const logics: readonly LogicOperator[] = ['∧', '∨', '⟹', '⟺', '⊕'];
const wide: readonly BigOperatorName[] = ['sum', 'product', 'union', 'intersection', 'mean', 'count', 'expectation'];
const narrow: readonly BigOperatorName[] = ['max', 'min', 'argmax', 'argmin'];

const isTupleLike = (e: Expression): boolean => (e.kind === 'tuple' || e.kind === 'list') && e.items.length === 2;

/** Trees that the reader can produce; the constructors keep out the few that no text denotes. */
export const { expression, proposition } = fc.letrec<{
  expression: Expression;
  proposition: Expression;
  binders: readonly Binder[];
}>((tie) => {
  const e = tie('expression');
  const p = tie('proposition');
  const relation = fc.record({
    first: e,
    rest: fc.array(fc.tuple(fc.constantFrom(...relations), e), { minLength: 1, maxLength: 2 }),
  });
  const items = (minimum: number): fc.Arbitrary<readonly Expression[]> =>
    fc.array(e, { minLength: minimum, maxLength: 3 });
  const interval: fc.Arbitrary<Expression> = fc
    .record({ low: e, high: e, lowOpen: fc.boolean(), highOpen: fc.boolean() })
    .map((i) => ({ kind: 'interval', ...i, range }));
  const index: fc.Arbitrary<IndexItem> = fc.oneof(
    e.filter((v) => v.kind !== 'span').map((value): IndexItem => ({ kind: 'at', value })),
    fc
      .record({ from: fc.option(e, { nil: null }), to: fc.option(e, { nil: null }) })
      .map((s): IndexItem => ({ kind: 'slice', ...s, inclusive: false })),
  );
  const argument: fc.Arbitrary<Argument> = fc.record({
    label: fc.option(fc.constantFrom('kv_heads', 'λ'), { nil: null }),
    value: fc.oneof(e, p),
  });
  return {
    binders: fc.uniqueArray(shortNames, { minLength: 1, maxLength: 2 }).chain((bound) =>
      fc.tuple(
        ...bound.map((b) =>
          fc.record({
            name: fc.constant(b),
            relation: fc.constantFrom<RelationOperator>('<', '≤', '=', '≠'),
            bound: e,
            range: fc.constant(range),
          }),
        ),
      ),
    ),
    expression: fc.oneof(
      { maxDepth: 5, depthIdentifier: 'tree' },
      { weight: 4, arbitrary: leaves },
      {
        weight: 4,
        arbitrary: fc
          .record({ operator: fc.constantFrom(...operators), left: e, right: e })
          .map((b): Expression => ({ kind: 'binary', ...b, juxtaposed: false, range }))
          .filter(isReadablePower),
      },
      {
        weight: 2,
        arbitrary: fc
          .record({ left: e, right: e })
          .filter(({ left, right }) => isFactor(left) && right.kind !== 'span')
          .map((b): Expression => ({ kind: 'binary', operator: '·', ...b, juxtaposed: true, range })),
      },
      e.map((operand): Expression => ({ kind: 'negate', operand, range })),
      fc
        .record({
          kind: fc.constantFrom(
            'square-root' as const,
            'factorial' as const,
            'absolute' as const,
            'floor' as const,
            'ceiling' as const,
            'transpose' as const,
          ),
          operand: e,
        })
        .map((u): Expression => ({ ...u, range })),
      fc
        .record({ operand: e, order: fc.option(e, { nil: null }) })
        .map((n): Expression => ({ kind: 'norm', ...n, range })),
      {
        weight: 2,
        arbitrary: fc
          .record({
            callee: fc.constantFrom('f', 'softmax', 'σ', 'is_finite').map(name),
            arguments: fc.array(argument, { maxLength: 2 }),
          })
          .map((c): Expression => ({ kind: 'call', ...c, range })),
      },
      fc
        .record({ object: names, property: fc.constantFrom('shape', 'weight') })
        .map((m): Expression => ({ kind: 'member', ...m, range })),
      fc
        .record({
          base: e.filter((b) => b.kind !== 'number' && b.kind !== 'string'),
          items: fc.array(index, { minLength: 1, maxLength: 2 }),
          style: fc.constant('bracket' as const),
        })
        .map((i): Expression => ({ kind: 'index', ...i, range })),
      fc
        .record({
          base: e.filter((b) => b.kind !== 'string'),
          items: fc.array(index, { minLength: 1, maxLength: 2 }),
          style: fc.constant('subscript' as const),
        })
        .map((i): Expression => ({ kind: 'index', ...i, range })),
      fc
        .oneof(
          fc.record({
            operator: fc.constantFrom(...wide, ...narrow),
            binders: tie('binders'),
            upper: fc.option(e, { nil: null }),
            condition: fc.option(
              relation.map((r) => chain({ ...r, first: { kind: 'absolute', operand: r.first, range } })),
              { nil: null },
            ),
            body: e,
          }),
          fc.record({
            operator: fc.constantFrom<BigOperatorName>('sum', 'product'),
            binders: fc.constant([]),
            upper: fc.constant(null),
            condition: fc.constant(null),
            body: e,
          }),
        )
        .map((b): Expression => ({ kind: 'big', ...b, range })),
      fc.record({ condition: p, then: e, otherwise: e }).map((c): Expression => ({ kind: 'conditional', ...c, range })),
      fc
        .record({
          cases: fc.array(fc.record({ condition: p, value: e }), { minLength: 1, maxLength: 2 }),
          otherwise: fc.option(e, { nil: null }),
        })
        .map((c): Expression => ({ kind: 'cases', ...c, range })),
      items(2).map((i): Expression => ({ kind: 'tuple', items: i, range })),
      fc.record({ items: items(0), ellipsis: fc.boolean() }).map((l): Expression => ({ kind: 'list', ...l, range })),
      fc
        .record({ items: items(1), ellipsis: fc.boolean() })
        .filter(({ items: [first, second], ellipsis }) => second !== undefined || !(ellipsis || first?.kind === 'span'))
        .map((s): Expression => ({ kind: 'set', ...s, range })),
      fc
        .record({ element: e, conditions: fc.array(p, { minLength: 1, maxLength: 2 }) })
        .map((s): Expression => ({ kind: 'set-builder', ...s, range })),
      interval.filter((i) => i.kind === 'interval' && i.lowOpen !== i.highOpen),
      fc.record({ from: e, to: e }).map((s): Expression => ({ kind: 'span', ...s, inclusive: false, range })),
      items(1).map((i): Expression => ({ kind: 'inner-product', items: i, range })),
    ),
    proposition: fc.oneof(
      { maxDepth: 5, depthIdentifier: 'tree' },
      { weight: 4, arbitrary: relation.map(chain) },
      {
        weight: 2,
        arbitrary: fc
          .record({
            element: e,
            set: fc.oneof(
              interval,
              fc.tuple(interval, names).map(([left, right]): Expression => ({
                kind: 'binary',
                operator: '^',
                left,
                right,
                juxtaposed: false,
                range,
              })),
              names,
            ),
          })
          .filter((m) => !isTupleLike(m.set))
          .map((m): Expression => ({ kind: 'relation', operands: [m.element, m.set], operators: ['∈'], range })),
      },
      {
        weight: 2,
        arbitrary: fc
          .record({ operator: fc.constantFrom(...logics), left: p, right: p })
          .map((l): Expression => ({ kind: 'logic', ...l, range })),
      },
      p.map((operand): Expression => ({ kind: 'not', operand, range })),
      fc
        .record({
          quantifier: fc.constantFrom('forall' as const, 'exists' as const, 'unique' as const),
          binders: tie('binders'),
          body: p,
        })
        .map((q): Expression => ({ kind: 'quantified', ...q, range })),
    ),
  };
});

function chain(r: {
  readonly first: Expression;
  readonly rest: readonly (readonly [RelationOperator, Expression])[];
}): Expression {
  return {
    kind: 'relation',
    operands: [r.first, ...r.rest.map(([, e]) => e)],
    operators: r.rest.map(([op]) => op),
    range,
  };
}

function isFactor(e: Expression): boolean {
  return e.kind !== 'string' && e.kind !== 'boolean';
}

/** `x^T` is a transpose and `-` after `^` binds like a sign. */
function isReadablePower(e: Expression): boolean {
  return e.kind !== 'binary' || e.operator !== '^' || e.right.kind !== 'tuple' || e.left.kind !== 'name';
}
