import { join } from 'node:path';
import type { Session } from './session.ts';

/** From the root of the package: the definitions and lemmas that every statement and script may use. */
const preludePath = 'templates/rocq/Pv.v';

/** Rejects if the installation is incomplete. */
export async function readPrelude({ host, packageRoot }: Session): Promise<string> {
  const prelude = await host.readText(join(packageRoot, preludePath));
  if (!prelude.ok) throw new Error(`the installation is incomplete: ${prelude.error.path} ${prelude.error.message}`);
  return prelude.value;
}
