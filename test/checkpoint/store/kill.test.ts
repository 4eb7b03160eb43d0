/** Holds src/host/node-operations.ts and process-identity.ts: a process that saves is killed at every durable operation. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadFrom } from '../../../src/checkpoint/store/load.ts';
import { openCheckpoints } from '../../../src/checkpoint/store/writer.ts';
import { createNodeHost } from '../../../src/host/node-host.ts';
import { buildSavingChild } from './killed-child.ts';
import { stateOf, textOf } from './states.ts';

const saves = 2;

let scratch = '';
let run: Awaited<ReturnType<typeof buildSavingChild>>;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'pv-kill-'));
  run = await buildSavingChild(scratch);
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

const child = (folder: string, operation: number) => run(folder, saves, operation);

/** What is wrong after the child was killed at an operation; null if nothing is. */
async function faultAfterKill(operation: number): Promise<string | null> {
  const folder = join(scratch, `killed-${operation}`);
  const { signal, stdout, stderr } = await child(folder, operation);
  if (signal !== 'SIGKILL') return `the child was not killed: ${stderr}`;
  const acknowledged = Number(stdout.trim().split('\n').at(-1));
  const host = createNodeHost();
  const loaded = await loadFrom(host, folder);
  if (loaded.ok) {
    const { sequence, state, passedOver } = loaded.value;
    if (sequence < acknowledged) return `checkpoint ${acknowledged} is lost`;
    if (textOf(state) !== textOf(stateOf(sequence))) return `checkpoint ${sequence} is not what was saved`;
    if (passedOver.length > 0) return passedOver[0]?.message ?? '';
  } else if (acknowledged > 0) return `checkpoint ${acknowledged} is lost: ${loaded.error.message}`;
  // The next process finds the lock of the dead one, and goes on.
  const writer = await openCheckpoints(host, folder);
  if (!writer.ok) return writer.error.message;
  const saved = await writer.value.save(stateOf(5));
  await writer.value.close();
  const again = await loadFrom(host, folder);
  const goesOn = saved.ok && again.ok && textOf(again.value.state) === textOf(stateOf(5));
  await rm(folder, { recursive: true });
  return goesOn ? null : 'the next process cannot go on';
}

it('a process killed at any write, sync, rename or removal loses no acknowledged checkpoint, and the next one goes on', async () => {
  const whole = await child(join(scratch, 'whole'), -1);
  const [, performed = ''] = /^performed (\d+)$/m.exec(whole.stdout) ?? [];
  const points = Number(performed);
  expect(points).toBeGreaterThan(50);
  const faults: string[] = [];
  for (let operation = 0; operation < points; operation++) {
    const fault = await faultAfterKill(operation);
    if (fault !== null) faults.push(`operation ${operation}: ${fault}`);
  }
  console.log(`SIGKILL: ${points} kill points tried, ${faults.length} checkpoints lost`);
  expect(faults).toEqual([]);
});
