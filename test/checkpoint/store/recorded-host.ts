/** A host whose durable operations are recorded, or fail as a test wants. */
import type { Result } from '../../../src/base/result.ts';
import type { FileOperation, FileProblem, Host } from '../../../src/host/host.ts';

/** What `intercept` may do with operation `index`, counted from 0: return a result, or undefined to have it performed. */
export type Intercept = (
  operation: FileOperation,
  index: number,
) => Result<number, FileProblem> | Promise<Result<number, FileProblem>> | undefined;

/** The host, with each operation passed to `intercept` first. */
export function intercepted(host: Host, intercept: Intercept): Host {
  let index = 0;
  return {
    ...host,
    perform: async (operation) => (await intercept(operation, index++)) ?? (await host.perform(operation)),
  };
}

/** The host, with every operation that succeeded appended to `log`. */
export function recording(host: Host, log: FileOperation[]): Host {
  return {
    ...host,
    async perform(operation) {
      const done = await host.perform(operation);
      if (done.ok)
        log.push(
          operation.kind === 'write' ? { ...operation, bytes: operation.bytes.slice(0, done.value) } : operation,
        );
      return done;
    },
  };
}

/** Takes a few bytes of every write. */
export const shortWrites: (host: Host) => Intercept = (host) => (operation, index) => {
  if (operation.kind !== 'write') return undefined;
  const some = operation.bytes.subarray(0, 1 + ((index * 7919) % 40));
  return host.perform({ ...operation, bytes: some });
};

/** A failed operation. */
export const failed = (
  operation: FileOperation,
  kind: FileProblem['kind'],
  message: string,
): Result<never, FileProblem> => ({
  ok: false,
  error: { kind, path: operation.kind === 'rename' ? operation.to : operation.path, message },
});
