/** A network between a node and its server that a test makes slow or interrupts. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** What a test puts between a node and the server. */
export interface Proxy {
  readonly url: string;
  /** `slow`: 30 ms each way, 512 KiB/s. `silent`: nothing gets through and no error is reported; what was sent arrives afterwards. */
  mode: 'open' | 'slow' | 'silent';
  /** Breaks all connections. */
  readonly cut: () => void;
  readonly close: () => Promise<void>;
}

const delayMs = 30;
const bytesPerMs = 512;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A proxy on the loopback interface in front of `server`, a `nats://` URL. */
export async function startProxy(server: string): Promise<Proxy> {
  const sockets = new Set<Socket>();
  const { hostname, port } = new URL(server);
  const forward = async (from: Socket, to: Socket): Promise<void> => {
    for await (const chunk of from as AsyncIterable<Buffer>) {
      while (proxy.mode === 'silent') await sleep(20);
      if (proxy.mode === 'slow') await sleep(delayMs + chunk.length / bytesPerMs);
      if (!to.writable || to.destroyed) return;
      to.write(chunk);
    }
    to.end();
  };
  const listener = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy()).on('close', () => sockets.delete(from));
      forward(from, to).catch(() => to.destroy());
    }
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const proxy: Proxy = {
    url: `nats://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    mode: 'open',
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
  return proxy;
}
