/** `pv graph` of a project that has been verified shows what its evidence says, and runs nothing. */
import { afterEach, expect, it } from 'vitest';
import { createProject, doubling, doublingBinding, rightKernel, runShown, type Project } from './project.ts';

let project: Project | null = null;
afterEach(async () => {
  await project?.remove();
  project = null;
});

it('shows the verdicts of stored evidence, and none before there is any', async () => {
  project = await createProject({
    'contracts/double-v1.yaml': doubling,
    'contracts/binding.yaml': doublingBinding('    backends: [ref32]\n'),
    'src/double.ts': rightKernel,
  });
  const graph = async (...more: readonly string[]): Promise<string> =>
    project ? (await runShown(project, ['pv graph contracts', ...more].join(' '))).stdout : '';
  expect(await graph()).toBe('double-v1\n');
  expect(await graph('--format', 'mermaid')).toContain('not verified yet');
  await runShown(project, 'pv audit contracts --cases 200');
  // Evidence of other checks does not count for the contract.
  expect(await graph()).toBe('double-v1\n');
  await runShown(project, 'pv audit contracts');
  expect(await graph()).toMatch(/^✓ double-v1 \(tested, L3\)\n$/);
  for (const format of ['mermaid', 'dot']) expect(await graph('--format', format)).toContain('✓ double-v1');
  expect(JSON.parse(await graph('--format', 'json'))).toMatchObject({ contracts: [{ verdict: 'tested' }] });
});
