/** Holds src/api/judge/judge-conduct.ts, src/api/judge/replay-calls.ts, src/plan/judged-calls.ts, src/plan/vary-world.ts, src/plan/serve-functions.ts, src/backends/function-conduct.ts. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invariant } from '../../src/base/invariant.ts';
import { judged } from './judged/judged.ts';
import { gamedKernels, softmaxText } from './judged/kernels.ts';
import { createProject, type Project } from './project.ts';

let made: Project | null = null;
beforeAll(async () => {
  made = await createProject({ 'package.json': '{ "type": "module" }' });
});
afterAll(() => made?.remove());

const project = (): Project => {
  invariant(made, 'it is made before the tests');
  return made;
};

describe('gamed kernels', () => {
  it.each(gamedKernels)('are caught: $name', async ({ text, named }) => {
    const { code, judgement } = await judged(project(), 'src/softmax.ts', text);
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
    const { code, judgement } = await judged(project(), 'src/softmax.ts', softmaxText(body), ['--timeout', '2']);
    expect(code).toBe(1);
    expect(judgement).toMatchObject({ status: 'wrong', reason: expect.stringContaining('did not return within 2 s') });
  });
});
