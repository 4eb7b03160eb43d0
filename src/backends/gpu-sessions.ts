/**
 * Sessions on devices, shared by the kernels that are open: starting a browser costs more than most checks.
 */
import { isChosen, type DeviceChoice } from '../subject/gpu-device.ts';
import type { GpuBackendId } from '../subject/kernel.ts';
import { lostReply, type Connect, type GpuLink } from './gpu-link.ts';
import { selfTest } from './gpu-self-test.ts';
import { troubleOf, wrongDevice, type DeviceTrouble } from './gpu-trouble.ts';

/** One kernel's share in a session. The session ends when every share is released. */
export interface SharedSession {
  readonly ask: GpuLink['ask'];
  /** The driver's name of its device. */
  readonly device: string;
  /** Nobody who calls this may ask again. */
  readonly release: () => void;
}

type Joined =
  { readonly ok: true; readonly session: SharedSession } | { readonly ok: false; readonly trouble: DeviceTrouble };

/** Returns a session on the chosen device, or why there is none. */
export type Join = (choice: DeviceChoice) => Promise<Joined>;

interface Started {
  readonly link: GpuLink;
  readonly device: string;
  users: number;
  lost: boolean;
  timer: NodeJS.Timeout | null;
}

/** How long a session outlives its last kernel: the next check of a run comes soon, on a busy machine too. */
const idleMs = 5000;

/** Sessions of one backend in this thread, one for each choice of a device. */
export function sessionsOf(backend: GpuBackendId, connect: Connect): Join {
  const started = new Map<DeviceChoice, Promise<Started | DeviceTrouble>>();

  const start = async (choice: DeviceChoice): Promise<Started | DeviceTrouble> => {
    const linked = await connect(backend, choice);
    if (!linked.ok) return linked.trouble;
    const { link } = linked;
    const reply = await link.ask({ kind: 'describe' });
    const chosen = reply.kind === 'device' && isChosen(choice, reply.name);
    const wrong = chosen ? await selfTest(backend, link) : null;
    if (chosen && wrong === null) return { link, device: reply.name, users: 0, lost: false, timer: null };
    await link.close();
    if (wrong !== null) return wrong;
    if (reply.kind === 'device') return wrongDevice(backend, choice, reply.name);
    return troubleOf(backend, reply.kind === 'problem' ? reply.problem : { kind: 'unnamed' });
  };

  const join = async (choice: DeviceChoice): Promise<Joined> => {
    const pending = started.get(choice) ?? start(choice);
    started.set(choice, pending);
    const session = await pending;
    if ('code' in session) {
      // A driver may be installed by the next time.
      if (started.get(choice) === pending) started.delete(choice);
      return { ok: false, trouble: session };
    }
    if (session.lost) return join(choice);
    if (session.timer) clearTimeout(session.timer);
    session.users++;
    const forget = (): void => void (started.get(choice) === pending && started.delete(choice));
    return { ok: true, session: share(session, forget) };
  };
  return join;
}

function share(session: Started, forget: () => void): SharedSession {
  let released = false;
  const end = (): void => {
    forget();
    void session.link.close();
  };
  return {
    device: session.device,
    ask: async (request) => {
      if (session.lost) return lostReply('it was lost by another kernel');
      const reply = await session.link.ask(request);
      if (reply.kind === 'problem' && reply.problem.kind === 'lost') {
        session.lost = true;
        // What does not end would go on working until its other users have gone.
        end();
      }
      return reply;
    },
    release: () => {
      if (released) return;
      released = true;
      session.users--;
      if (session.users === 0 && !session.lost) session.timer = setTimeout(end, idleMs);
    },
  };
}
