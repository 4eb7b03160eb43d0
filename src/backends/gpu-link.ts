/**
 * From pv to a session on a device, wherever that is.
 */
import type { DeviceChoice } from '../subject/gpu-device.ts';
import type { GpuBackendId } from '../subject/kernel.ts';
import type { SessionReply, SessionRequest } from './gpu-session.ts';
import type { DeviceTrouble } from './gpu-trouble.ts';

/** A connection to a session, which lives in another process or in a page. */
export interface GpuLink {
  /** Never rejects: a link that breaks answers with a lost device. */
  readonly ask: (request: SessionRequest) => Promise<SessionReply>;
  readonly close: () => Promise<void>;
}

/** A connection, or why there is none. */
export type Linked =
  { readonly ok: true; readonly link: GpuLink } | { readonly ok: false; readonly trouble: DeviceTrouble };

/** Starts what has the device. */
export type Connect = (backend: GpuBackendId, choice: DeviceChoice) => Promise<Linked>;

/** The answer of a link that is broken. */
export function lostReply(message: string): SessionReply {
  return { kind: 'problem', problem: { kind: 'lost', message } };
}
