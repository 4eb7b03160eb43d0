/** Which process this is, and whether another one is over. */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { ProcessIdentity } from './host.ts';

let own: ProcessIdentity | null = null;

/** This process. Linux names the boot and the namespace of processes; elsewhere they are empty. */
export function identityOfSelf(): ProcessIdentity {
  own ??= {
    machine: `${hostname()}/${textOf('/etc/machine-id')}`,
    boot: textOf('/proc/sys/kernel/random/boot_id'),
    namespace: namespaceOfSelf(),
    pid: process.pid,
    started: startOf(process.pid),
  };
  return own;
}

/** Whether a process is certainly over. */
export function isProcessOver(other: ProcessIdentity): boolean {
  const self = identityOfSelf();
  if (other.machine !== self.machine) return false;
  if (other.boot !== self.boot) return true;
  if (other.namespace !== self.namespace) return false;
  if (!isRunning(other.pid)) return true;
  const started = startOf(other.pid);
  // Numbers of processes are used again.
  return started !== '' && other.started !== '' && started !== other.started;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user is there, although it may not be signalled.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Field 22 of /proc/PID/stat, in clock ticks since the boot; the name in field 2 may contain anything but ends at the last ")". */
function startOf(pid: number): string {
  const text = textOf(`/proc/${pid}/stat`);
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function namespaceOfSelf(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

/** Empty where there is no such file. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}
