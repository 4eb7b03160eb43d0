/** The entry of a process that has a WebGPU device of Dawn: answers one request after another. */
import type { create, globals } from 'webgpu';
import { invariant } from '../base/invariant.ts';
import { parentOf } from '../host/parent.ts';
import { createGpuSession, type GpuSession, type SessionReply, type SessionRequest } from './gpu-session.ts';
import { loadGpujs } from './gpujs.ts';
import { answerShader } from './wgsl/shader-session.ts';

/** What the process sends: once whether it has a device, then one reply for each request. */
export type DawnAnswer =
  { readonly kind: 'ready' } | { readonly kind: 'absent' } | { readonly kind: 'reply'; readonly reply: SessionReply };

const parent = parentOf();
invariant(parent, 'this module is the entry of a child process');
const { onMessage, send } = parent;

// Once the parent has ended, no one waits for this process's answers.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

const session = await startSession();
const first: DawnAnswer = session ? { kind: 'ready' } : { kind: 'absent' };
send(first);
// One after another, as they are answered in their order.
let last = Promise.resolve();
if (session) onMessage((message) => void (last = last.then(() => answer(session, message as SessionRequest))));

async function answer(ask: GpuSession, request: SessionRequest): Promise<void> {
  const reply: DawnAnswer = { kind: 'reply', reply: await ask(request) };
  send(reply);
}

/** Null if a package is missing, or is built for another system than this one. */
async function startSession(): Promise<GpuSession | null> {
  const dawn = await loadDawn();
  const gpujs = await loadGpujs();
  if (!dawn || !gpujs) return null;
  Object.assign(globalThis, dawn.globals);
  // gpu.js looks for the device where a browser has it, and Node 20 has no navigator.
  Object.defineProperty(globalThis, 'navigator', { value: { gpu: dawn.create([]) }, configurable: true });
  return createGpuSession({ ...gpujs, createContext: () => null, answerShader }, 'webgpu');
}

async function loadDawn(): Promise<{ readonly create: typeof create; readonly globals: typeof globals } | null> {
  try {
    return await import('webgpu');
  } catch {
    return null;
  }
}
