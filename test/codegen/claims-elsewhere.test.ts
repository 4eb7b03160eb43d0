/** Holds src/codegen/describe.ts, src/codegen/generate.ts, src/codegen/interface-view.ts, src/codegen/render-template.ts. */
import { describe, expect, it } from 'vitest';
import { generateFiles } from '../../src/codegen/generate.ts';
import { loadTemplates } from '../../src/codegen/render-template.ts';
import { createNodeHost } from '../../src/host/node-host.ts';
import { elaborated, softmax } from '../contract/elaborate/support.ts';

const render = await loadTemplates(createNodeHost(process.cwd()), 'templates');

function generated(obligations: string, tests = ''): ReadonlyMap<string, string> {
  const files = generateFiles({
    elaborated: elaborated({ equations: softmax, obligations, tests }),
    path: 'contracts/c.yaml',
    subjects: [],
    parts: ['tests'],
    folder: 'generated',
    seed: 1,
    reproduce: ({ claim }) => `pv audit contracts/c.yaml --claim ${claim}`,
    render,
  });
  return new Map(files.map(({ path, text }) => [path.replace(/^[^/]*\//u, ''), text]));
}

const kernel = '- { id: A, type: bound, property: p, formal: "σ(x)_i ≥ 0" }\n';
const real = '- { id: B, type: bound, property: Positive, formal: "σ(x)_i > 0", semantics: real }\n';
const statistical =
  '- { id: C, type: bound, property: "Mean */ of outputs", formal: "mean(σ(x)_i) ≥ 0", semantics: statistical, methods: { statistical: { random: [x], draws: 500 } } }\n';

describe('a generated test file', () => {
  it('lists the claims that it does not carry, why, and the command that checks them', () => {
    const text = generated(kernel + real + statistical).get('property.test.ts') ?? '';
    expect(text).toContain(`// Not tested here:
// - B: Positive
//   Why: it is about real numbers: the equations are evaluated in arbitrary precision, and no kernel runs.
//   Checked by: pv audit contracts/c.yaml --claim B
// - C: Mean *∕ of outputs
//   Why: it is about a distribution: the kernel is run on 500 draws per setting.
//   Checked by: pv audit contracts/c.yaml --claim C
`);
  });

  it('says nothing where it carries all claims', () => {
    expect(generated(kernel).get('property.test.ts')).not.toContain('Not tested here');
  });

  it('lists those of the file that has no test and so is not there', () => {
    const files = generated(real, '- { id: F, prediction: "σ(x)_i ≥ 0" }\n');
    expect(files.has('property.test.ts')).toBe(false);
    expect(files.get('falsification.test.ts')).toContain('// - B: Positive');
  });

  it('leaves them to the other file where that is there', () => {
    const files = generated(kernel + real, '- { id: F, prediction: "σ(x)_i ≥ 0" }\n');
    expect(files.get('property.test.ts')).toContain('// - B: Positive');
    expect(files.get('falsification.test.ts')).not.toContain('Not tested here');
  });
});
