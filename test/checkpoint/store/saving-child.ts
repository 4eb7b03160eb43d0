/** A process that saves in a loop and kills itself at one durable operation: `node saving-child.mjs FOLDER SAVES OPERATION`. */
import { writeSync } from 'node:fs';
import { openCheckpoints } from '../../../src/checkpoint/store/writer.ts';
import type { FileOperation } from '../../../src/host/host.ts';
import { createNodeHost } from '../../../src/host/node-host.ts';
import { intercepted } from './recorded-host.ts';
import { stateOf } from './states.ts';

const [folder = '', saves = '', operation = ''] = process.argv.slice(2);
const host = createNodeHost();

const die = (): Promise<never> => {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => undefined);
};

/** Opening and closing a file change nothing that a write, a sync or a rename after it does not. */
const isTried = ({ kind }: FileOperation): boolean => kind !== 'create' && kind !== 'close';

let performed = 0;
const killed = intercepted(host, (one) => {
  if (!isTried(one) || performed++ !== Number(operation)) return undefined;
  // A write is cut in its middle, everything else does not happen.
  return one.kind === 'write'
    ? host.perform({ ...one, bytes: one.bytes.subarray(0, one.bytes.length >> 1) }).then(die)
    : die();
});

const writer = await openCheckpoints(killed, folder, { keep: 1 });
if (!writer.ok) throw new Error(writer.error.message);
for (let n = 1; n <= Number(saves); n++) {
  const saved = await writer.value.save(stateOf(n));
  if (!saved.ok) throw new Error(saved.error.message);
  // Acknowledged: whoever reads this may rely on it.
  writeSync(1, `${n}\n`);
}
await writer.value.close();
writeSync(1, `performed ${performed}\n`);
