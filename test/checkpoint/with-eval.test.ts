import { describe, expect, it } from 'vitest';
import { withEval } from '../../src/checkpoint/with-eval.ts';

const fail = (): never => {
  throw new Error('out of memory');
};

describe('withEval', () => {
  it('evaluates in evaluation mode, and gives back the result and the mode', async () => {
    const model = { training: true };
    const result = withEval(model, () => [model.training, 1]);
    expect(model.training).toBe(true);
    expect(await result).toEqual([false, 1]);
  });

  it('restores the mode where the evaluation throws or rejects', async () => {
    const model = { training: true };
    const thrown = withEval(model, fail);
    expect(model.training).toBe(true);
    await expect(thrown).rejects.toThrow('out of memory');
    const later = withEval(model, async () => {
      await Promise.resolve();
      expect(model.training).toBe(false);
      return fail();
    });
    expect(model.training).toBe(false);
    await expect(later).rejects.toThrow('out of memory');
    expect(model.training).toBe(true);
  });

  it('leaves a frozen module frozen, also if it is given twice', async () => {
    const [model, frozen] = [{ training: true }, { training: false }];
    await withEval([model, frozen, model], () => expect([model.training, frozen.training]).toEqual([false, false]));
    expect([model.training, frozen.training]).toEqual([true, false]);
  });

  it('restores the mode with the last of evaluations that overlap, whichever that is', async () => {
    const model = { training: true };
    let end = (): void => undefined;
    const first = withEval(model, () => new Promise<void>((resolve) => (end = resolve)));
    await withEval(model, async () => Promise.resolve());
    await withEval(model, () => undefined);
    expect(model.training).toBe(false);
    end();
    await first;
    expect(model.training).toBe(true);
  });

  it('restores the modules before one that cannot be switched', async () => {
    const [model, broken] = [{ training: true }, Object.freeze({ training: true })];
    await expect(withEval([model, broken], () => undefined)).rejects.toThrow(TypeError);
    expect(model.training).toBe(true);
  });

  it('goes through a mode that is a method inside', async () => {
    const modes: boolean[] = [];
    const model = {
      get training(): boolean {
        return modes.at(-1) ?? true;
      },
      set training(mode: boolean) {
        modes.push(mode);
      },
    };
    await withEval(model, () => undefined);
    expect(modes).toEqual([false, true]);
  });
});
