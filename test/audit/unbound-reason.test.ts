import { describe, expect, it } from 'vitest';
import { readContracts } from '../../src/contract/validate.ts';
import { createMemoryHost } from '../../src/host/memory-host.ts';
import { readProject } from '../../src/audit/read-project.ts';
import { unboundReason, type BindingFault } from '../../src/audit/unbound-reason.ts';
import { diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { doubling } from '../e2e/project.ts';

const row = (lines: string): string =>
  `bindings:\n  - contract: double-v1.yaml\n    ${lines.replaceAll('\n', '\n    ')}\n`;
const kernel = 'export function double(x: Float32Array): Float32Array { return x.map((v) => 2 * v); }';

async function reasonWith(binding: string, files: Readonly<Record<string, string>> = { 'src/double.ts': kernel }) {
  const source = { path: 'contracts/double-v1.yaml', text: doubling };
  const { value: contracts } = readContracts([source], { elsewhere: [] });
  const { faults, subjects } = await readProject({
    contracts,
    binding: { path: 'contracts/binding.yaml', text: binding },
    host: createMemoryHost(files),
    moduleRoots: ['/project'],
    elsewhere: new Set(),
  });
  return subjects.some(({ equation }) => equation === 'double') ? null : unboundReason('double-v1', ['double'], faults);
}

describe('the reason of an unbound claim', () => {
  it.each([
    ['a module that is not there', 'equation: double\nmodule_path: src/dubble.ts\nfunction: double', 'PV-5006', 4],
    ['a function that is not there', 'equation: double\nmodule_path: src/double.ts\nfunction: dubble', 'PV-5008', 5],
    ['a row without a function', 'equation: double\nstatus: implemented', 'PV-5011', 3],
  ])('is %s', async (_, lines, code, line) => {
    expect(await reasonWith(row(lines))).toBe(
      `the binding of double is broken (${code}, contracts/binding.yaml:${line})`,
    );
  });

  it.each([
    [
      'an equation that is misspelled',
      row('equation: dubble\nmodule_path: src/double.ts\nfunction: double'),
      'PV-5002',
      3,
    ],
    ['a row that cannot be read', row('equatoin: double\nmodule_path: src/double.ts\nfunction: double'), 'PV-5004', 2],
  ])('may be %s', async (_, text, code, line) => {
    expect(await reasonWith(text)).toBe(
      `no kernel is bound to double, and the binding has an error (${code}, contracts/binding.yaml:${line})`,
    );
  });

  it('is that there is no row, if the file says nothing about it', async () => {
    expect(await reasonWith('bindings: []\n')).toBe('no kernel is bound to double');
    expect(await reasonWith(row('equation: double\nstatus: pending'))).toBe('no kernel is bound to double');
  });

  it('is not an error in the file where the equation has a row of its own', async () => {
    const pending = row('equation: double\nstatus: pending');
    const unreadable = row('equatoin: triple').replace('bindings:\n', '');
    expect(await reasonWith(`${pending}${unreadable}`)).toBe('no kernel is bound to double');
  });

  it('is not a misspelled equation of another contract', async () => {
    const other = doubling.replaceAll('double', 'triple');
    const { value: contracts } = readContracts(
      [
        { path: 'contracts/double-v1.yaml', text: doubling },
        { path: 'contracts/triple-v1.yaml', text: other },
      ],
      { elsewhere: [] },
    );
    const { faults } = await readProject({
      contracts,
      binding: {
        path: 'contracts/binding.yaml',
        text: row('equation: dubble\nmodule_path: src/double.ts\nfunction: double'),
      },
      host: createMemoryHost({ 'src/double.ts': kernel }),
      moduleRoots: ['/project'],
      elsewhere: new Set(),
    });
    expect([...faults.keys()]).toEqual(['double-v1/double']);
  });

  it('is absent for a kernel that resolves', async () => {
    expect(await reasonWith(row('equation: double\nmodule_path: src/double.ts\nfunction: double'))).toBe(null);
  });
});

describe('a claim of several equations', () => {
  const file = { path: 'binding.yaml', text: 'one\ntwo\nthree\n' };
  const at = { source: file, range: { start: 4, end: 7 } };
  const fault = (about: 'row' | 'file', span: typeof at | null, subject?: string): BindingFault => ({
    about,
    problem: diagnostic('PV-5006', span, 'm', subject === undefined ? {} : { subject }),
  });

  it('says of each of them what is wrong, also of those of other contracts', () => {
    const faults = new Map([
      ['c-v1/f', fault('row', at)],
      ['d-v1/g', fault('file', at)],
    ]);
    expect(unboundReason('c-v1', ['f', 'd-v1/g', 'h', 'g'], faults)).toBe(
      [
        'the binding of f is broken (PV-5006, binding.yaml:2)',
        'no kernel is bound to d-v1/g, and the binding has an error (PV-5006, binding.yaml:2)',
        'no kernel is bound to h',
        'no kernel is bound to g',
      ].join('; '),
    );
  });

  it('names the file if the line is unknown', () => {
    const reason = (own: BindingFault): string => unboundReason('c-v1', ['f'], new Map([['c-v1/f', own]]));
    expect(reason(fault('row', null, 'my.yaml'))).toBe('the binding of f is broken (PV-5006, my.yaml)');
    expect(reason(fault('row', null))).toBe('the binding of f is broken (PV-5006, the binding)');
  });
});
