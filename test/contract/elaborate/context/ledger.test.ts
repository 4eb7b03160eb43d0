/**
 * Every name and every number of a formal field is executed, or the field is not.
 *
 * Holds src/contract/elaborate/operators/exhaustive.ts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { elaborateEquationFromText } from '../../../../src/contract/elaborate/equations/from-text.ts';
import { readContracts } from '../../../../src/contract/validate.ts';
import type { Range } from '../../../../src/diagnostics/source.ts';
import { formalFields } from '../../../../src/contract/formal-fields.ts';
import { childrenOf, isLeaf } from '../../../../src/contract/elaborate/context/syntax-parts.ts';
import type { Binder, Expression, Statement } from '../../../../src/math/notation/syntax.ts';
import { corpus } from '../../corpus.ts';
import { lex } from '../../../../src/math/notation/lex.ts';
import { elaborated, goal, model } from '../support.ts';

const shipped = readdirSync('contracts')
  .filter((name) => name.endsWith('-v1.yaml'))
  .map((name) => ({ path: `contracts/${name}`, text: readFileSync(`contracts/${name}`, 'utf8') }));

const problemOf = (formula: string, domain: string, codomain?: string): string | null =>
  elaborateEquationFromText({ formula, domain, ...(codomain === undefined ? {} : { codomain }) }).problem?.code ?? null;

const equation = (formula: string, domain: string): string =>
  `f:\n  formula: ${JSON.stringify(formula)}\n  domain: ${JSON.stringify(domain)}`;

const identity = equation('R(x)_i = x_i', 'x ∈ F32^n, 1 ≤ n ≤ 8');

const claimed = (formal: string, equations = identity) =>
  elaborated({
    equations,
    obligations: `- { id: C, type: invariant, property: p, formal: ${JSON.stringify(formal)} }`,
  });

describe('a part that nothing executes stops the field', () => {
  it.each([
    ['a relation after the body of a helper function', 'y = h(x)·x where h(t) = t > 0', 'x ∈ F32', 'PV-4031'],
    ['a predicate that is multiplied', 'h(t) = t ≤ 1\ny = h(x)·x', 'x ∈ F32', 'PV-4003'],
    ['a number under a name that nothing uses', 'y = 2·x where c = 3', 'x ∈ F32', 'PV-4031'],
    ['a first step that does not follow', 'y = Σ_{i ∈ {0, 2, …, 10}} i·c', 'c ∈ F32', 'PV-4020'],
    ['a set with gaps', 'y = x', 'x ∈ {0, 2, …, 10}', 'PV-4002'],
    ['cases about an index that leave one out', 'y_i = { x_i if i < k; 0 if i > k }', 'x ∈ F32^n, k ∈ ℕ', 'PV-4050'],
    ['an argument that the helper does not have', 'y = R(2·x) where R(z) = √(Σ_j x_j²)', 'x ∈ F32^n', 'PV-4031'],
    ['the shape of an argument', 'f: ℤ^4 → ℤ*', 'x ∈ ℤ^n, 1 ≤ n ≤ 8', 'PV-4009'],
    ['cases of a helper', 'y = g(x) where g(z) = { z if z > 0; 0 if z < 0 }', 'x ∈ F32', 'PV-4050'],
  ])('%s', (_, formula, domain, code) => {
    expect(problemOf(formula, domain)).toBe(code);
  });

  it('a range that is not the whole range of a pattern', () => {
    const pattern = (range: string): string => `f(x)_{2k} = x_{2k}, f(x)_{2k+1} = -x_{2k+1} for k ${range}`;
    const domain = 'x ∈ F32^d, d mod 2 = 0';
    expect(problemOf(pattern('∈ [0, 1)'), domain, 'f(x) ∈ F32^d')).toBe('PV-4016');
    expect(problemOf(pattern('≥ 1'), domain, 'f(x) ∈ F32^d')).toBe('PV-4016');
    for (const range of ['∈ [0, d/2)', '< d/2'])
      expect(model(pattern(range), domain, 'f(x) ∈ F32^d').digest).toBe(
        model(pattern('< d/2').replace(/ for .*/u, ''), domain, 'f(x) ∈ F32^d').digest,
      );
  });

  it.each([
    ['R(x) ∈ [0, 1]^m when m = 3', 'PV-4001'],
    ['R(x) ∈ [0, 1]^{n+1}', 'PV-4007'],
    ['R(x)_i ∈ [0, 1]^n', 'PV-4007'],
    ['R(x)_i > 0 where c = 3', 'PV-4031'],
    ['{ 1 if R(x)_i > 1; 2 if R(x)_i < 0 } > 0', 'PV-4050'],
  ])('%s', (formal, code) => {
    expect(claimed(formal).diagnostics.map((one) => one.code)).toContain(code);
    expect(claimed(formal).goals).toEqual([]);
  });
});

describe('what looks like a spare part is executed', () => {
  it('a known name among the indices of a sum as a condition', () => {
    const domain = 'x ∈ F32^n, c ∈ F32';
    const filtered = model('y = Σ_{i<n, c<2} x_i', domain);
    expect(filtered.digest).toBe(model('y = Σ_{c<2, i<n} x_i', domain).digest);
    expect(filtered.digest).not.toBe(model('y = Σ_{i<n} x_i', domain).digest);
    expect(problemOf('y = Σ_{i<n, j<2} x_i·j', 'x ∈ F32^n')).toBeNull();
  });

  it('cases that leave nothing over as they are', () => {
    const cases = (last: string, rest: string): readonly [string, string] => [
      `y = { ${rest}; 0 if ${last} }`,
      `y = { ${rest}; 0 otherwise }`,
    ];
    const domain = 'x, a, d ∈ F32, m ∈ ℤ, n ∈ ℕ, b ∈ Bool';
    for (const [left, right] of [
      cases('x ≤ 0', 'x if x > 0'),
      cases('x > 1', '-1 if x < -1; x if -1 ≤ x ≤ 1'),
      cases('|x| > d', 'x if |x| ≤ d'),
      cases('a = x', '1 if a < x; 2 if a > x'),
      cases('m mod 3 = 2', '1 if m mod 3 = 0; 2 if m mod 3 = 1'),
      cases('¬b', '1 if b'),
      cases('m ≥ 1', '1 if m ≤ 0'),
    ])
      expect(model(left, domain).digest).toBe(model(right, domain).digest);
  });

  it('the last condition of other cases as a bound of the domain', () => {
    const { domain } = model('y_i = { x_i if x_i > 1; 0 if x_i < 0 }', 'x ∈ F32^n');
    expect(domain.preconditions).toHaveLength(1);
  });

  it('the exponent of a set as the shape', () => {
    expect(goal(claimed('R(x) ∈ [0, 1]^n')).digest).toBe(goal(claimed('R(x) ∈ [0, 1]')).digest);
  });

  it('a further right side as a statement', () => {
    const statements = (formula: string) => elaborated({ equations: equation(formula, 'x ∈ F32, |x| ≤ 9') }).statements;
    expect(statements('y = 2·x = x + x').map(({ claim }) => claim)).toEqual(['f.equality-1']);
    expect(statements('y = m where m = 2·x = x + x').map(({ property }) => property)).toEqual(['m = x + x']);
    expect(statements('y = 2·x')).toEqual([]);
  });

  it('what a codomain says beside its type', () => {
    const found = elaborated({
      equations: `${equation('y_i = x_i', 'x ∈ F32^n, 1 ≤ n ≤ 8')}\n  codomain: "y ∈ F32^n with y_i > 0"`,
    });
    expect(found.statements.map(({ claim }) => claim)).toEqual(['f.codomain']);
  });

  it('an equation after where as a condition, unless it defines a function', () => {
    const masked = `${equation('m(i, j) = 1 if i < j else 0', 'i, j ∈ ℤ')}\ng:\n  formula: "R(x)_i = x_i"\n  domain: "x ∈ F32^n, i, j ∈ ℤ"`;
    const conditioned = goal(claimed('R(x)_0 > 0 where m(i, j) = 1', masked));
    expect(conditioned.digest).toBe(goal(claimed('R(x)_0 > 0 when m(i, j) = 1', masked)).digest);
  });

  it('helpers for claims, and a remark on unused ones', () => {
    const two = equation('v_i = 2·x_i, y_i = 3·x_i', 'x ∈ F32^n, 1 ≤ n ≤ 8');
    expect(claimed('y_i > v_i when x_i > 0', two).diagnostics.map(({ code }) => code)).toEqual([]);
    expect(claimed('y_i > 0 when x_i > 0', two).diagnostics.map(({ code }) => code)).toEqual(['PV-4051']);
  });

  it.each([
    ['y_i = x_i for all i', 'x ∈ F32^n'],
    ['y_i = x_i', 'x ∈ F32^n, x_i > 1 for all i'],
    ['y_i = x_i', 'x ∈ F32^n, ∀ i: x_i > 1'],
    ['y = Σ_{0≤j<n} x_j', 'x ∈ F32^n'],
    ['y = Σ_{i ∈ {0, 1, …, 9}} i·c', 'c ∈ F32'],
    ['y = ‖x‖_2', 'x ∈ F32^n'],
    ['y_i = x_i / (‖x‖_∞ + ε)', 'x ∈ F32^n, ε ∈ (0, ∞)'],
    ['y = x', 'x ∈ {0, 1, …, 9}'],
  ])('%s over %s', (formula, domain) => {
    expect(problemOf(formula, domain)).toBeNull();
  });
});

describe('each name and number of a shipped equation matters', () => {
  const { value: contracts } = readContracts(shipped, { elsewhere: [] });
  const texts = contracts.flatMap(({ id, equations }) =>
    equations.map(({ name, formula, domain, codomain }) => ({
      name: `${id}/${name}`,
      formula: formula.text,
      ...(domain ? { domain: domain.text } : {}),
      ...(codomain ? { codomain: codomain.text } : {}),
    })),
  );

  it('in the formula and the domain', () => {
    // All of them take half a minute.
    const step = process.env['PV_RUNS'] === undefined ? 7 : 1;
    let tried = 0;
    const inert: string[] = [];
    for (const { name, ...equation } of texts) {
      const digest = elaborateEquationFromText(equation).model?.digest;
      if (digest === undefined) continue;
      for (const field of ['formula', 'domain'] as const) {
        for (const [token, changed] of changesOf(equation[field] ?? '')) {
          tried += 1;
          if (tried % step !== 0) continue;
          const { model: other, remarks } = elaborateEquationFromText({ ...equation, [field]: changed });
          // If the name of a helper changes, it is reported as unused.
          if (other?.digest === digest && !remarks.some(({ code: said }) => said === 'PV-4051'))
            inert.push(`${name}: ${token} in ${changed}`);
        }
      }
    }
    expect(inert).toEqual([]);
    expect(tried).toBeGreaterThan(1000);
  });
});

describe('the tree of a field has each name and number of its text', () => {
  /** Words that are operators, and those of `A^T`. */
  const operators = new Set('T E max min argmax argmin sum union sqrt abs ceil'.split(' '));

  /** The sign of `R^{n x d}`. */
  const isTimes = (
    text: string,
    token: { readonly text: string; readonly range: { readonly start: number } },
  ): boolean => {
    const before = text.slice(0, token.range.start);
    return token.text === 'x' && /\^\{[^{}]*[\w)] $/.test(before);
  };

  it('in shipped and public contracts', () => {
    const { value } = readContracts([...shipped, ...corpus], { elsewhere: [] });
    const lost = value.flatMap(formalFields).flatMap(({ text: { text, notation } }) => {
      if (notation.status !== 'math') return [];
      const kept = [...notation.prose.map(({ range }) => range), ...notation.statements.flatMap(leavesOfStatement)];
      return lex(text)
        .filter(({ kind }) => ['number', 'word', 'string', 'superscript', 'subscript'].includes(kind))
        .filter(({ range }) => !kept.some(({ start, end }) => start <= range.start && range.end <= end))
        .filter((token) => !operators.has(token.text) && !isTimes(text, token))
        .map((token) => `${token.text} of ${text}`);
    });
    expect(lost).toEqual([]);
  });
});

function leavesOfStatement({ body, binders, conditions, definitions, label, range }: Statement): readonly Range[] {
  const title = label === null ? [] : [{ start: range.start, end: range.start + label.length + 1 }];
  return [...title, ...binders.flatMap(leavesOfBinder), ...[body, ...conditions, ...definitions].flatMap(leavesOf)];
}

function leavesOf(expression: Expression): readonly Range[] {
  const { kind, range } = expression;
  if (isLeaf(expression) || kind === 'member') return [range];
  const named = kind === 'call' ? expression.arguments.filter(({ label }) => label !== null) : [];
  return [
    ...(kind === 'big' || kind === 'quantified' ? expression.binders.flatMap(leavesOfBinder) : []),
    // A label has no range of its own: it comes right before its value.
    ...named.map(({ value, label }) => ({
      start: value.range.start - (label?.length ?? 0) - 4,
      end: value.range.start,
    })),
    ...childrenOf(expression).flatMap(leavesOf),
  ];
}

function leavesOfBinder({ bound, range }: Binder): readonly Range[] {
  return [
    bound ? { start: range.start, end: Math.max(bound.range.start, range.end) } : range,
    ...(bound ? leavesOf(bound) : []),
  ];
}

/** `text` with one of its numbers or names as another one, for each of them. */
function changesOf(text: string): readonly (readonly [token: string, changed: string])[] {
  return lex(text)
    .filter(({ kind }) => kind === 'number' || kind === 'word')
    .map(({ kind, range }) => {
      const token = text.slice(range.start, range.end);
      const other = kind === 'number' ? '7919' : 'unheardOf';
      return [token, text.slice(0, range.start) + other + text.slice(range.end)] as const;
    });
}
