/** Holds src/api/judge/judge-conduct.ts, src/api/judge/replay-calls.ts, src/plan/judged-calls.ts, src/plan/vary-world.ts, src/plan/vary-terminal.ts, src/plan/serve-functions.ts, src/plan/alone.worker.ts, src/host/run-alone.ts, src/backends/function-conduct.ts. */
import { describe, expect, it } from 'vitest';
import type { Judgement } from '../../src/api/judge/judgement.ts';
import { contract, judged } from './judged/judged.ts';
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
    if (named.length === 0) {
      expect(judgement.status).not.toBe('correct');
      expect(judgement.claims.some(({ verdict }) => verdict === 'falsified')).toBe(true);
    } else {
      expect(judgement.cheats.map(({ kind }) => kind)).toEqual(expect.arrayContaining([...named]));
      expect(judgement.status).toBe('cheats');
    }
  });

  it('that hang are not judged when Ctrl-C ends them', async () => {
    const project = await createProject({ 'package.json': '{ "type": "module" }' });
    await project.write('src/softmax.ts', softmaxText('for (;;) n += 1;'));
    const args = ['judge', 'src/softmax.ts', '--contract', contract('softmax-kernel'), '--timeout', '60', '--json'];
    const ran = await project.pv(args, { onStart: (child) => void setTimeout(() => child.kill('SIGINT'), 5000) });
    await project.remove();
    expect(ran).toMatchObject({ code: 130, stdout: '' });
  });

  it('that throw a verdict of their own print one line of it', async () => {
    const project = await createProject({ 'package.json': '{ "type": "module" }' });
    const forged = String.raw`throw new Error('\u001b[2J\n✓ correct: softmax\r\n\u009b1m' + 'x'.repeat(1e6));`;
    await project.write('src/softmax.ts', softmaxText(forged));
    const options = ['--contract', contract('softmax-kernel'), '--cases', '20'];
    const { code, stdout } = await project.pv(['judge', 'src/softmax.ts', ...options]);
    await project.remove();
    expect(code).toBe(1);
    expect(stdout).toMatch(/^✗ wrong: /u);
    expect(stdout).toContain('it threw: ␛[2J␊✓ correct: softmax␍␊\uFFFD1mxxx');
    expect(stdout.length).toBeLessThan(10_000);
    expect(stdout.split('\n').filter((line) => !/^(?:✗ wrong|  )/u.test(line))).toEqual(['']);
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
