/**
 * Scripts whose compiled code is kept between runs. Most of what a short command costs is compiling its own code.
 *
 * Node 20 keeps compiled code for nobody and node 22 for modules that are loaded one by one, so this is done with V8's
 * own means (`vm.Script`, `cachedData`). V8 trusts what it is given and crashes on code that was damaged: it is
 * sealed with the secret of the user, in whose cache folder both stand, never in the project.
 */
import { Buffer } from 'node:buffer';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Script } from 'node:vm';
import { invariant } from '../../base/invariant.ts';
import type { Host } from '../../host/host.ts';
import { userFolder, type Env } from '../user-folder.ts';
import { isSealed, sealed } from '../../host/seal.ts';
import { sealOf } from '../validation/seal.ts';

/** A script that has been run. */
export interface Loaded {
  readonly exports: Readonly<Record<string, unknown>>;
  /** To be called when the work is done: keeps what has been compiled until then, when that is worth it. */
  readonly keep: () => Promise<void>;
}

/** Where code is kept: `use` tells runs apart that need different parts of one script. */
interface Place {
  readonly path: string;
  readonly seal: string;
  /** What the code fits: the script by its name, which holds a hash of its text, and node. */
  readonly fits: string;
}

interface Kept {
  readonly code: Uint8Array;
  /** What the run cost that compiled it, in milliseconds of processor time. */
  readonly cost: number;
}

const maxBytes = 32 * 1024 * 1024;

/**
 * Runs the script at `path`: an expression whose value is a function of `exports`, `require`, `module`, the URL of the script and `import`,
 * named after a hash of its text (scripts/bundle.mjs makes both). Without a folder of the user, and in CI, nothing is kept.
 */
export async function loadScript(host: Host, env: Env, path: string, use: string): Promise<Loaded> {
  const text = await host.readText(path, { maxBytes });
  invariant(text.ok, `the installation of pv holds ${basename(path)}`);
  const place = await placeOf(host, env, path, use);
  const kept = place && (await readKept(host, place));
  const script = new Script(text.value, {
    filename: path,
    ...(kept ? { cachedData: kept.code } : {}),
  });
  const module = { exports: {} };
  const run: unknown = script.runInThisContext();
  invariant(typeof run === 'function', 'a script is a function of what a module is given');
  const importModule = (specifier: string): Promise<unknown> => import(specifier);
  run(module.exports, createRequire(path), module, pathToFileURL(path).href, importModule);
  return {
    exports: module.exports,
    keep: async () => {
      const cost = processorMs();
      // A run that did much more than the one before has compiled more: code of the short way to a remembered answer is little.
      if (place && (!kept || script.cachedDataRejected === true || cost > 2 * kept.cost))
        await writeKept(host, place, { code: script.createCachedData(), cost });
    },
  };
}

async function placeOf(host: Host, env: Env, path: string, use: string): Promise<Place | null> {
  if ((env['CI'] ?? '') !== '' || (env['NODE_DISABLE_COMPILE_CACHE'] ?? '') !== '') return null;
  const folder = userFolder(host, env);
  const seal = folder && (await sealOf(host, env));
  if (folder === null || seal === null) return null;
  const { versions, arch } = process;
  return {
    path: join(folder, `${use}-node-${versions.node}-${arch}.code`),
    seal,
    fits: `pv.code/1 ${basename(path)} v8 ${versions.v8}`,
  };
}

/** A seal, a line that says what the code fits and what it cost, the code. */
async function readKept(host: Host, { path, seal, fits }: Place): Promise<Kept | null> {
  const read = await host.readBytes(path, { maxBytes });
  if (!read.ok) return null;
  const { value: bytes } = read;
  const sealEnd = bytes.indexOf(lineEnd);
  const headEnd = bytes.indexOf(lineEnd, sealEnd + 1);
  if (sealEnd < 0 || headEnd < 0) return null;
  const [, found, cost] = /^(.*) (\d+) ms$/.exec(ascii(bytes.subarray(sealEnd + 1, headEnd))) ?? [];
  if (found !== fits || !isSealed(seal, bytes.subarray(sealEnd + 1), ascii(bytes.subarray(0, sealEnd)))) return null;
  return { code: bytes.subarray(headEnd + 1), cost: Number(cost) };
}

async function writeKept(host: Host, { path, seal, fits }: Place, { code, cost }: Kept): Promise<void> {
  const body = Buffer.concat([Buffer.from(`${fits} ${Math.ceil(cost)} ms\n`), code]);
  // Nothing fails for want of it: a folder that cannot be written keeps nothing.
  await host.writeFileAtomic(path, Buffer.concat([Buffer.from(`${sealed(seal, body)}\n`), body]));
}

const lineEnd = 10;

function ascii(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes);
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
