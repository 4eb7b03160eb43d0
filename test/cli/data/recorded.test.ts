/**
 * Logs that do not hold what their contract requires, and healthy ones that lack what it does not.
 *
 * Holds src/cli/data/assignments.ts.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { exitCodes } from '../../../src/api/exit-code.ts';
import { runPv } from '../../support/memory-cli.ts';

const contract = 'training-stability-v1.yaml';
// The causes that it names are in other contracts.
const text = readFileSync(new URL(`../../../contracts/${contract}`, import.meta.url), 'utf8').replace(
  /^ *diagnosis: .*\n/gm,
  '',
);

const rows = (fields: (step: number) => object): string =>
  Array.from({ length: 60 }, (_, i) => `${JSON.stringify(fields(i + 1))}\n`).join('');
const falling = (step: number): number => 4 - step / 30;

async function check(content: string, ...args: readonly string[]): ReturnType<typeof runPv> {
  return runPv(['check', contract, '--data', 'run.jsonl', ...args], {
    files: { [contract]: text, 'run.jsonl': content },
  });
}

describe('a log', () => {
  test('without an optional column is healthy, and says what was not applicable', async () => {
    const { code, stdout } = await check(rows((step) => ({ step, loss: falling(step) })));
    expect(code).toBe(exitCodes.ok);
    expect(stdout).toContain('– STABLE-002 not applicable: Every gradient norm is finite: needs grad_norm');
    expect(stdout).toMatch(/1 data set: \d of 11 obligations evaluated, 0 violated, .*5 not applicable/);
    expect(stdout).not.toContain('not in the data');
  });

  test.each([
    ['no loss', rows((step) => ({ step, lr: 0.1 }))],
    ['no loss but a norm', rows((step) => ({ step, grad_norm: 1 }))],
    ['no loss but one of evaluations', rows((step) => ({ step, eval_loss: falling(step), lr: 0.1 }))],
    ['a loss that is never there', rows((step) => ({ step, loss: null, lr: 0.1 }))],
    ['no steps', rows((step) => ({ loss: falling(step) }))],
  ])('with %s passes under no flag', async (_, content) => {
    expect((await check(content)).code).not.toBe(exitCodes.ok);
    expect((await check(content, '--allow-unevaluated')).code).not.toBe(exitCodes.ok);
  });

  test('with a norm that explodes still fails', async () => {
    const { code, stdout } = await check(
      rows((step) => ({ step, loss: falling(step), grad_norm: step === 9 ? 1e9 : 1 })),
    );
    expect([code, stdout]).toEqual([exitCodes.findings, expect.stringContaining('✗ STABLE-006')]);
  });

  test('of one row: too little to say, and nothing required is missing', async () => {
    const one = rows((step) => ({ step, loss: 4 })).split('\n')[0] ?? '';
    expect((await check(`${one}\n`)).code).toBe(exitCodes.findings);
    expect((await check(`${one}\n`, '--allow-unevaluated')).code).toBe(exitCodes.ok);
    // What annotates a pull request says what the exit code says.
    const annotated = (...args: readonly string[]) => check(`${one}\n`, '--format', 'github', ...args);
    expect(await annotated()).toMatchObject({ code: 1, stdout: expect.stringContaining('check FAILED') });
    const excused = await annotated('--allow-unevaluated');
    expect(excused).toMatchObject({ code: 0, stdout: expect.stringContaining('check PASSED') });
  });

  test('whose column has another name: the flag that is printed works when typed', async () => {
    const content = rows((step) => ({ step, nll: falling(step), lr: 0.1 }));
    const { stdout } = await check(content);
    expect(stdout).toContain('say which columns they are with --map loss=nll\n');
    expect((await check(content, '--map', 'loss=nll')).code).toBe(exitCodes.ok);
    const set = await check(content, '--set', 'loss=4');
    expect([set.code, set.stdout]).toEqual([exitCodes.findings, expect.stringContaining('loss is a column of')]);
  });
});

test('a required input that the domain does not have is an error of the contract', async () => {
  const wrong = text.replace('required: [step, loss]', 'required: [step, losss]');
  const ran = await runPv(['check', contract, '--data', 'run.jsonl'], {
    files: { [contract]: wrong, 'run.jsonl': rows((step) => ({ step, loss: falling(step) })) },
  });
  expect([ran.code, ran.stderr]).toEqual([exitCodes.findings, expect.stringContaining('does not declare losss')]);
});
