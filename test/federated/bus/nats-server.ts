/** A nats-server on the loopback interface with its own folder, on a port that it chooses. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether Debian's nats-server is installed; CI installs it. */
export const hasNatsServer = spawnSync('nats-server', ['--version']).status === 0;

/** A running server. */
export interface NatsServer {
  readonly url: string;
  /** Kills it without a word and starts it again on the same port and folder. */
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const gone = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => (child.exitCode === null ? child.once('exit', () => resolve()) : resolve()));

/** Starts one; fails if it does not answer in ten seconds. */
export async function startNatsServer(): Promise<NatsServer> {
  const folder = mkdtempSync(join(tmpdir(), 'pv-nats-'));
  const start = (port: string): ChildProcess =>
    spawn('nats-server', ['-a', '127.0.0.1', '-p', port, '-js', '-sd', folder, '--ports_file_dir', folder], {
      stdio: 'ignore',
    });
  const portsOf = (): string | null => {
    const file = readdirSync(folder).find((name) => name.endsWith('.ports'));
    const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8');
    return text.trim() === '' ? null : (/nats:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0] ?? null);
  };
  const ready = async (): Promise<string> => {
    for (let i = 0; i < 1000; i++) {
      const url = portsOf();
      if (url !== null) return url;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error('nats-server did not start');
  };
  const forgetPorts = (): void => {
    for (const name of readdirSync(folder)) if (name.endsWith('.ports')) rmSync(join(folder, name));
  };
  let child = start('-1');
  const url = await ready();
  const kill = async (): Promise<void> => {
    child.kill('SIGKILL');
    await gone(child);
    forgetPorts();
  };
  return {
    url,
    async restart() {
      await kill();
      child = start(new URL(url).port);
      await ready();
    },
    async stop() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
