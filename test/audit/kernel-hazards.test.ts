/** What an audit says of a bound kernel's text before anything runs. */
import { expect, it } from 'vitest';
import { kernelHazards } from '../../src/audit/kernel-hazards.ts';
import { createMemoryHost } from '../../src/host/memory-host.ts';
import type { BoundSubject } from '../../src/subject/bound-subject.ts';
import { kernelFromText } from '../support/kernels.ts';

const header = "import type { KernelThread } from 'provable-contracts/runtime';\n";
const kernelOf = (expression: string): string =>
  `${header}export function kernel(this: KernelThread, x: readonly number[]): number { return ${expression}; }\n`;

async function subjectIn(module: string): Promise<Pick<BoundSubject, 'module' | 'program'>> {
  return { module, program: await kernelFromText(kernelOf('Math.tanh(x[this.thread.x]!)')) };
}

const host = createMemoryHost({
  'lib/src/a.ts': kernelOf('Math.tanh(x[this.thread.x]!)'),
  'lib/src/b.ts': kernelOf('Math.tanh(Math.max(-20, Math.min(20, x[this.thread.x]!)))'),
  'lib/src/c.ts': kernelOf('Math.tanh(x[this.thread.x]!)').replace(
    'export',
    '// pv-scan-ignore kernel-unclamped-tanh: inputs are normalised\nexport',
  ),
});

it.each([
  ['src/a.ts', ['PV-9120']],
  ['src/b.ts', []],
  ['src/c.ts', []],
])('%s: %j', async (module, expected) => {
  const subject = await subjectIn(module);
  const found = await kernelHazards([subject, subject], host, ['elsewhere', 'lib']);
  expect(found.map(({ code }) => code)).toEqual(expected);
  for (const { span } of found) expect(span?.source.path).toBe('lib/src/a.ts');
});

it('looks at no plain functions', async () => {
  const subject = await subjectIn('src/a.ts');
  const plain = { ...subject, program: { ...subject.program, language: 'function' as const } };
  expect(await kernelHazards([plain], host, ['lib'])).toEqual([]);
});

it('looks at the module under the first root that has it, and skips missing ones', async () => {
  const subject = await subjectIn('src/a.ts');
  const two = createMemoryHost({
    'first/src/a.ts': kernelOf('Math.tanh(Math.max(-20, Math.min(20, x[this.thread.x]!)))'),
    'second/src/a.ts': kernelOf('Math.tanh(x[this.thread.x]!)'),
  });
  expect(await kernelHazards([subject], two, ['first', 'second'])).toEqual([]);
  expect(await kernelHazards([subject], two, ['second', 'first'])).toHaveLength(1);
  expect(await kernelHazards([subject], two, ['third'])).toEqual([]);
});
