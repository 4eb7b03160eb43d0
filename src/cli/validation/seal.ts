/**
 * The secret that remembered answers are sealed with.
 *
 * A cache stands in the project, and a project may come from anybody: without a seal its author could send along the
 * answer that all is well. The secret stands in the user's own cache folder, where no project can have put it.
 */
import { Buffer } from 'node:buffer';
import { join } from 'node:path';
import type { Host } from '../../host/host.ts';
import { userFolder, type Env } from '../user-folder.ts';

/** The user's secret, made at its first use; null where the user has no folder for it outside of the project. */
export async function sealOf(host: Host, env: Env): Promise<string | null> {
  const folder = userFolder(host, env);
  if (folder === null) return null;
  const path = join(folder, 'validate.key');
  const known = await host.readText(path, { maxBytes: 1000 });
  if (known.ok && /^[0-9a-f]{64}$/.test(known.value)) return known.value;
  const made = crypto().randomBytes(32).toString('hex');
  return (await host.writeFileAtomic(path, made)).ok ? made : null;
}

/** What only who knows `seal` can say of `content` (HMAC-SHA-256, RFC 2104), in lower-case hexadecimal. */
export function sealed(seal: string, content: string | Uint8Array): string {
  return crypto().createHmac('sha256', seal).update(content).digest('hex');
}

/** Whether `found` is what `sealed` says of `content`; takes as long for a wrong one as for a right one. */
export function isSealed(seal: string, content: string | Uint8Array, found: string): boolean {
  const right = Buffer.from(sealed(seal, content));
  const given = Buffer.from(found);
  return given.length === right.length && crypto().timingSafeEqual(given, right);
}

/** Loaded when a seal is asked for: `pv --help` needs none, and this module is in bin.js. */
const crypto = () => process.getBuiltinModule('node:crypto');
