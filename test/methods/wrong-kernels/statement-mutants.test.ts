import { describe, expect, it } from 'vitest';
import { invariant } from '../../../src/base/invariant.ts';
import { blockMutants } from '../../../src/methods/wrong-kernels/statement-mutants.ts';
import type { KernelStatement } from '../../../src/subject/kernel-syntax.ts';
import { printStatement } from '../../../src/subject/print-kernel.ts';
import { kernelFromText } from '../../support/kernels.ts';

const oneLine = (text: string): string => text.replace(/\s+/gu, ' ').trim();
const blockText = (body: readonly KernelStatement[]): string => oneLine(body.map(printStatement).join(' '));

/** Every mutant of a kernel of one number `n`: what changes, and the block with the change in it. */
async function mutantsOf(body: string): Promise<ReadonlyMap<string, string>> {
  const { syntax } = await kernelFromText(`import type { KernelThread } from 'provable-contracts/runtime';
export function kernel(this: KernelThread, n: number): number { ${body} }`);
  invariant(syntax, 'the kernel can be read');
  const mutants = [...blockMutants(syntax.body)].map(({ body: to, edit }) => [edit.change, blockText(to)] as const);
  expect(new Set(mutants.map(([, text]) => text)).size).toBe(mutants.length);
  return new Map(mutants);
}

describe('the mistakes in a block', () => {
  it('of a declaration and of a return are those in its value', async () => {
    expect([...(await mutantsOf('const a = n + 3; return a;'))]).toEqual([
      ['n + 3 → n - 3', 'const a = n - 3; return a;'],
      ['n + 3 → n', 'const a = n; return a;'],
      ['n + 3 → 3', 'const a = 3; return a;'],
      ['3 → 0', 'const a = n + 0; return a;'],
      ['3 → 6', 'const a = n + 6; return a;'],
    ]);
    expect([...(await mutantsOf('return -n;'))]).toEqual([['-n → n', 'return n;']]);
  });

  it.each([
    ['a += n', ['drop a += n', '+= → -= in a']],
    ['a -= n', ['drop a -= n', '-= → += in a']],
    ['a *= n', ['drop a *= n', '*= → /= in a']],
    ['a /= n', ['drop a /= n', '/= → *= in a']],
    ['a %= n', ['drop a %= n']],
    ['a = n', ['drop a = n']],
    ['a = -n', ['drop a = -n', '-n → n']],
  ])('of %s are to leave it out, another operator, and those in its value: %j', async (assignment, changes) => {
    const found = await mutantsOf(`let a = 0; ${assignment}; return a;`);
    expect([...found.keys()].filter((change) => change !== '0 → 1')).toEqual(changes);
    expect(found.get(`drop ${assignment}`)).toBe('let a = 0; return a;');
  });

  it('change the operator of an assignment and nothing else', async () => {
    expect((await mutantsOf('let a = 0; a += n; return a;')).get('+= → -= in a')).toBe('let a = 0; a -= n; return a;');
  });

  it('of a branch are: always, never, in its condition, and in what it governs', async () => {
    expect([...(await mutantsOf('if (n > 2) { return 3; } return n;'))]).toEqual([
      ['if (n > 2) → if (true)', 'return 3; return n;'],
      ['if (n > 2) → if (false)', 'return n;'],
      ['n > 2 → n >= 2', 'if (n >= 2) { return 3; } return n;'],
      ['n > 2 → n > 3', 'if (n > 3) { return 3; } return n;'],
      ['2 → 0', 'if (n > 0) { return 3; } return n;'],
      ['2 → 4', 'if (n > 4) { return 3; } return n;'],
      ['3 → 0', 'if (n > 2) { return 0; } return n;'],
      ['3 → 6', 'if (n > 2) { return 6; } return n;'],
    ]);
  });

  it('of a branch with another one: the other one takes its place', async () => {
    expect([...(await mutantsOf('let a = 0; if (n === 2) { a = 5; } else { a = 7; } return a;'))].slice(1)).toEqual([
      ['if (n === 2) → if (true)', 'let a = 0; a = 5; return a;'],
      ['if (n === 2) → if (false)', 'let a = 0; a = 7; return a;'],
      ['n === 2 → n !== 2', 'let a = 0; if (n !== 2) { a = 5; } else { a = 7; } return a;'],
      ['2 → 0', 'let a = 0; if (n === 0) { a = 5; } else { a = 7; } return a;'],
      ['2 → 4', 'let a = 0; if (n === 4) { a = 5; } else { a = 7; } return a;'],
      ['drop a = 5', 'let a = 0; if (n === 2) { } else { a = 7; } return a;'],
      ['5 → 0', 'let a = 0; if (n === 2) { a = 0; } else { a = 7; } return a;'],
      ['5 → 10', 'let a = 0; if (n === 2) { a = 10; } else { a = 7; } return a;'],
      ['drop a = 7', 'let a = 0; if (n === 2) { a = 5; } else { } return a;'],
      ['7 → 0', 'let a = 0; if (n === 2) { a = 5; } else { a = 0; } return a;'],
      ['7 → 14', 'let a = 0; if (n === 2) { a = 5; } else { a = 14; } return a;'],
    ]);
  });

  it('of a counted loop are its start, its end and its body, and never its step', async () => {
    const found = await mutantsOf('let s = 0; for (let i = 2; i < n; i++) { s += i; } return s;');
    const loop = (text: string): string => `let s = 0; ${text} return s;`;
    expect([...found].slice(1)).toEqual([
      ['2 → 0', loop('for (let i = 0; i < n; i++) { s += i; }')],
      ['2 → 4', loop('for (let i = 4; i < n; i++) { s += i; }')],
      ['i < n → i <= n', loop('for (let i = 2; i <= n; i++) { s += i; }')],
      ['i < n → i < (n - 1)', loop('for (let i = 2; i < (n - 1); i++) { s += i; }')],
      ['drop s += i', loop('for (let i = 2; i < n; i++) { }')],
      ['+= → -= in s', loop('for (let i = 2; i < n; i++) { s -= i; }')],
    ]);
  });

  it('of a loop that assigns its counter never drop its start', async () => {
    const found = await mutantsOf('let i = 5; for (i = n; i > 3; i--) { } return i;');
    expect([...found.keys()].filter((change) => change.startsWith('drop'))).toEqual([]);
  });

  it('of a loop with a condition are those in it and in its body; steps, breaks and continues may be left out', async () => {
    const found = await mutantsOf(
      'let i = 0; while (i < n) { i++; if (i === 9) { break; } if (i !== 8) { continue; } } return i;',
    );
    const changes = [...found.keys()];
    expect(changes.filter((change) => change.startsWith('drop'))).toEqual(['drop i++', 'drop break', 'drop continue']);
    expect(found.get('drop i++')).toMatch(/^let i = 0; while \(i < n\) \{ if \(i === 9\)/u);
    expect(found.get('i < n → i <= n')).toMatch(/^let i = 0; while \(i <= n\) \{ i\+\+; if \(i === 9\)/u);
  });
});
