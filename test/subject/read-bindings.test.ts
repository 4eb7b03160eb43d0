/** Holds src/subject/check-binding-targets.ts. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { positionAt } from '../../src/diagnostics/source.ts';
import { checkBindingTargets } from '../../src/subject/check-binding-targets.ts';
import { readBindings } from '../../src/subject/read-bindings.ts';

const row = (lines: string): string =>
  `version: "1.0.0"\ntarget_crate: mine\nbindings:\n  - contract: softmax-kernel-v1.yaml\n    equation: softmax\n${lines
    .split('\n')
    .map((line) => `    ${line}\n`)
    .join('')}`;
const whole = 'module_path: src/a.ts\nfunction: softmax\nstatus: implemented';

function findings(text: string): readonly string[] {
  return readBindings({ path: 'binding.yaml', text }).diagnostics.map(
    ({ code, span }) => `${code}@${span ? positionAt(span.source, span.range.start).line : '-'}`,
  );
}

describe('a binding file', () => {
  it('names how accurate its kernels are', () => {
    const read = (accuracy: string): unknown =>
      readBindings({ path: 'binding.yaml', text: `accuracy: ${accuracy}\n${row(whole)}` });
    expect(read('half')).toMatchObject({ value: { accuracy: 'half' }, diagnostics: [] });
    expect(read('fp16')).toMatchObject({
      value: { accuracy: null },
      diagnostics: [{ code: 'PV-5004', hint: 'one of strict, library, gpu and half' }],
    });
  });

  it('is read with every key of both dialects', () => {
    const text = row(
      `${whole}\nsignature: "softmax(x, n)"\nnotes: as is\narguments: [x, n, 2·n]\noutput: [n]\nloop_max: 100\nbackends: [ref32, gpujs-webasm]`,
    );
    const { value, diagnostics } = readBindings({ path: 'binding.yaml', text });
    expect(diagnostics).toEqual([]);
    expect(value).toMatchObject({ version: '1.0.0', target: 'mine', accuracy: null });
    expect(value.rows).toMatchObject([
      {
        contract: { value: 'softmax-kernel-v1' },
        equation: { value: 'softmax' },
        modulePath: { value: 'src/a.ts' },
        functionName: { value: 'softmax' },
        signature: 'softmax(x, n)',
        status: 'implemented',
        notes: 'as is',
        loopMax: 100,
        backends: ['ref32', 'gpujs-webasm'],
      },
    ]);
    expect(value.rows[0]?.arguments?.map(({ value: text }) => text)).toEqual(['x', 'n', '2·n']);
    expect(text.slice(value.rows[0]?.functionName?.span.range.start, value.rows[0]?.functionName?.span.range.end)).toBe(
      'softmax',
    );
  });

  it.each([
    ['a status that claims a function without naming one', 'status: implemented', 'PV-5011@5'],
    ['a status that claims half of one', 'module_path: src/a.ts\nstatus: partial', 'PV-5011@5'],
    ['a function that the status denies', 'module_path: src/a.ts\nfunction: f\nstatus: not_implemented', 'PV-5011@7'],
    ['an unknown status', 'module_path: src/a.ts\nfunction: f\nstatus: implementd', 'PV-5004@8'],
    ['an unknown backend', `${whole}\nbackends: [gpu]`, 'PV-5004@9'],
    ['a loop_max that is no count', `${whole}\nloop_max: many`, 'PV-5004@9'],
    ['a loop_max of 0', `${whole}\nloop_max: 0`, 'PV-5004@9'],
    ['arguments that are no list', `${whole}\narguments: x`, 'PV-5004@9'],
    ['arguments that hold lists', `${whole}\narguments: [[x]]`, 'PV-5004@9'],
    ['a misspelt key', `${whole}\nmodul_path: x`, 'PV-5012@9'],
    ['a function that is a list', 'module_path: src/a.ts\nfunction: [f]\nstatus: pending', 'PV-5004@7'],
  ])('with %s is reported there', (_, lines, expected) => {
    expect(findings(row(lines)).join(' ')).toBe(expected);
  });

  it('with two rows for one equation keeps the first and points at both', () => {
    const text = `${row(whole)}  - contract: softmax-kernel-v1\n    equation: softmax\n    module_path: src/b.ts\n    function: g\n`;
    const { value, diagnostics } = readBindings({ path: 'binding.yaml', text });
    expect(value.rows.map(({ modulePath }) => modulePath?.value)).toEqual(['src/a.ts']);
    expect(diagnostics).toMatchObject([{ code: 'PV-5003', related: [{ message: 'first here' }] }]);
  });

  it('names contracts and equations that exist, or what is near', () => {
    const { rows } = readBindings({ path: 'binding.yaml', text: row(whole) }).value;
    expect(checkBindingTargets(rows, new Map([['softmax-kernel-v1', ['softmax']]]))).toEqual([]);
    expect(checkBindingTargets(rows, new Map([['softmax-kernel-v1', ['softmin', 'softmaxx']]]))).toMatchObject([
      { code: 'PV-5002', hint: 'did you mean `softmaxx`?' },
    ]);
    expect(checkBindingTargets(rows, new Map([['softmax-kernel-v2', ['softmax']]]))).toMatchObject([
      { code: 'PV-5001', hint: 'did you mean `softmax-kernel-v2`?' },
    ]);
  });

  it('of any text is answered with rows and findings, never with an exception', () => {
    for (const text of [
      '',
      '\0',
      '[]',
      'bindings:',
      'bindings: 3',
      'bindings: [1, [2], {}]',
      'bindings:\n\t- a',
      'a: &a [*a]',
      '{'.repeat(5_000),
      'bindings:\n  - contract: [x]\n    equation: {y: 1}',
    ]) {
      const { value, diagnostics } = readBindings({ path: 'binding.yaml', text });
      expect(value.rows).toEqual([]);
      expect(diagnostics.length).toBeGreaterThan(0);
    }
  });

  const shared = fileURLToPath(
    new URL('../../../shared/data/contracts-provable-contracts/binding-aprender.yaml', import.meta.url),
  );
  it.skipIf(!existsSync(shared))(
    `of 284 declared rows in upstream's dialect is read whole (${existsSync(shared) ? 'shared data present' : 'shared data absent'})`,
    () => {
      const { value, diagnostics } = readBindings({
        path: 'binding-aprender.yaml',
        text: readFileSync(shared, 'utf8'),
      });
      const count = (code: string): number => diagnostics.filter((found) => found.code === code).length;
      expect(value.rows.length + count('PV-5003')).toBe(296);
      expect(count('PV-5003')).toBeGreaterThan(0);
      expect(count('PV-5011')).toBeGreaterThan(80);
      expect(count('PV-5004') + count('PV-5012')).toBe(0);
    },
  );
});
