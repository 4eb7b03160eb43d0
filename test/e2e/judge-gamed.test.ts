/** Holds src/api/judge/judge-conduct.ts, src/api/judge/replay-calls.ts, src/plan/judged-calls.ts, src/plan/vary-world.ts, src/plan/serve-functions.ts, src/backends/function-conduct.ts. */
import { describe, expect, it } from 'vitest';
import type { Judgement } from '../../src/api/judge/judgement.ts';
import { judged } from './judged/judged.ts';
import { gamedKernels, softmaxText } from './judged/kernels.ts';
import { createProject } from './project.ts';

/** A judgement mostly waits for one process after another, so that several take place beside each other, each in a project of its own. */
async function judgedAlone(
  text: string,
  args?: readonly string[],
): Promise<{ readonly code: number | null; readonly judgement: Judgement }> {
  const project = await createProject({ 'package.json': '{ "type": "module" }' });
  try {
    return await judged(project, 'src/softmax.ts', text, args);
  } finally {
    await project.remove();
  }
}

describe('gamed kernels', () => {
  it.concurrent.each(gamedKernels)('are caught: $name', async ({ text, named }) => {
    const { code, judgement } = await judgedAlone(text);
    expect(code).toBe(1);
    expect(judgement.score.reward).toBe(0);
    if (named === null) {
      expect(judgement.status).not.toBe('correct');
      expect(judgement.claims.some(({ verdict }) => verdict === 'falsified')).toBe(true);
    } else {
      expect(judgement.cheats.map(({ kind }) => kind)).toContain(named);
      expect(judgement.status).toBe('cheats');
    }
  });

  it.each([
    ['hang', 'for (;;) n += 1;'],
    [
      'cut their process off',
      `Object.defineProperty(Object.getPrototypeOf(Float32Array.prototype), 'length', { get: () => 0 }); return right(x);`,
    ],
  ])('that %s cost their time once', async (_, body) => {
    const { code, judgement } = await judgedAlone(softmaxText(body), ['--timeout', '2']);
    expect(code).toBe(1);
    expect(judgement).toMatchObject({ status: 'wrong', reason: expect.stringContaining('did not return within 2 s') });
  });
});
