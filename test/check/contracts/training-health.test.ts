/** Records of python/pv_health.py, as pv judges them without being asked; test/e2e/pytorch-health.test.ts runs the recorder. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { exitCodes } from '../../../src/api/exit-code.ts';
import { runPv } from '../../support/memory-cli.ts';

const folder = new URL('../../../contracts/', import.meta.url);
const contracts = Object.fromEntries(
  readdirSync(folder)
    .filter((name) => name.endsWith('-v1.yaml'))
    .map((name) => [`/pv/contracts/${name}`, readFileSync(new URL(name, folder), 'utf8')] as const),
);
const record = (silent: (step: number) => number): string =>
  [1, 10, 20, 30, 40, 50]
    .map((step) =>
      JSON.stringify({
        step,
        loss: 2 - step / 50,
        adapters: 4,
        trainable_adapters: 4,
        silent_adapters: silent(step),
        label_share: 0.4,
        empty_batch_share: 0,
      }),
    )
    .join('\n');

it.each([
  ['gets gradients', (step: number) => (step < 2 ? 2 : 0), exitCodes.ok, '✓ HEALTH-001'],
  ['is silent', () => 1, exitCodes.findings, '✗ HEALTH-001'],
] as const)('a record whose adapter %s', async (_, silent, code, shown) => {
  const found = await runPv(['check', 'health.jsonl'], {
    files: { ...contracts, 'health.jsonl': `${record(silent)}\n` },
  });
  expect([found.code, found.stdout.includes(shown)]).toEqual([code, true]);
});
