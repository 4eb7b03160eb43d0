/** Logs whose loss stops: no claim about every loss is satisfied by the rows before. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { exitCodes } from '../../../src/cli/exit-code.ts';
import { runPv } from '../../support/memory-cli.ts';

const contract = 'training-stability-v1.yaml';
const text = readFileSync(new URL(`../../../contracts/${contract}`, import.meta.url), 'utf8').replaceAll(
  / *diagnosis: .*\n/g,
  '',
);
const log = (loss: (step: number) => number | null): string =>
  Array.from({ length: 60 }, (_, i) => `${JSON.stringify({ step: i + 1, loss: loss(i + 1) })}\n`).join('');
const falling = (step: number): number => 5 * Math.exp(-step / 60);

test.each([
  [
    'null to the end',
    (step: number) => (step < 40 ? falling(step) : null),
    '? STABLE-001 undetermined',
    exitCodes.findings,
  ],
  ['numbers to the end', falling, '✓ STABLE-001 satisfied', exitCodes.ok],
  [
    'every third step',
    (step: number) => (step % 3 === 1 ? falling(step) : null),
    '✓ STABLE-001 satisfied',
    exitCodes.ok,
  ],
])('a loss of %s', async (_, loss, verdict, code) => {
  const files = { [contract]: text, 'run.jsonl': log(loss) };
  const ran = await runPv(['check', contract, '--data', 'run.jsonl'], { files });
  expect(ran.stdout).toContain(verdict);
  expect(ran.code).toBe(code);
});
