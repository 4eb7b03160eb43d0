import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { err, ok, type Result } from '../base/result.ts';
import type { FileProblem, Host } from './host.ts';

/** A path inside a folder. */
export interface ContainedPlace {
  /** Absolute, as it was given. */
  readonly path: string;
  /** Absolute, with every link resolved. */
  readonly real: string;
}

/**
 * Where `path` under `root` lies, or `outside` when it leaves `root` by `..`, by being absolute or through a link.
 *
 * The file need not exist: the nearest existing ancestor decides.
 */
export async function containedPlace(
  host: Host,
  root: string,
  path: string,
): Promise<Result<ContainedPlace, FileProblem>> {
  const outside = err({ kind: 'outside', path, message: 'lies outside the project' } as const);
  const base = resolve(host.root, root);
  const target = resolve(base, path);
  if (path.includes('\0') || !isUnder(base, target)) return outside;
  const realBase = await nearestReal(host, base);
  if (!realBase.ok) return realBase;
  const real = await nearestReal(host, target);
  if (!real.ok) return real;
  return isUnder(realBase.value, real.value) ? ok({ path: target, real: real.value }) : outside;
}

/** The absolute path of {@link containedPlace}. */
export async function containedPath(host: Host, root: string, path: string): Promise<Result<string, FileProblem>> {
  const place = await containedPlace(host, root, path);
  return place.ok ? ok(place.value.path) : place;
}

/** Whether `target` is `base` or lies below it; both absolute. */
export function isUnder(base: string, target: string): boolean {
  const way = relative(base, target);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The real path of the deepest existing ancestor, with the rest of the path put back. */
async function nearestReal(host: Host, path: string): Promise<Result<string, FileProblem>> {
  const real = await host.realPath(path);
  if (real.ok || real.error.kind !== 'missing') return real;
  const parent = dirname(path);
  if (parent === path) return real;
  const realParent = await nearestReal(host, parent);
  return realParent.ok ? ok(resolve(realParent.value, relative(parent, path))) : realParent;
}
