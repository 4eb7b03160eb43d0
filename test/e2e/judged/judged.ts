import { join } from 'node:path';
import type { Judgement } from '../../../src/api/judge/judgement.ts';
import { repositoryRoot } from '../../support/built.ts';
import type { Project } from '../project.ts';

/** The file of a shipped contract. */
export const contract = (name: string): string => join(repositoryRoot, `contracts/${name}-v1.yaml`);

/** `text` judged as softmax by the command line, in this process, with few cases. */
export async function judged(
  project: Project,
  file: string,
  text: string,
  args: readonly string[] = ['--timeout', '60'],
): Promise<{ readonly code: number; readonly judgement: Judgement; readonly stderr: string }> {
  await project.write(file, text);
  const options = ['--contract', contract('softmax-kernel'), '--cases', '200', '--json', ...args];
  const { code, stdout, stderr } = await project.run(['judge', file, ...options]);
  return { code, judgement: JSON.parse(stdout), stderr };
}
