/**
 * The files of a first contract in someone's project.
 */
import type { Host } from '../host/host.ts';
import { basename, dirname, join } from 'node:path';

/** Recognised by its lock file; npm if there is none. */
export type PackageManager = 'npm' | 'pnpm' | 'yarn' | 'bun';

/** What `pv init` writes and asks the user to run. */
export interface InitPlan {
  readonly manager: PackageManager;
  /** What installs pv for this project and its CI; null if it is installed and listed. */
  readonly install: string | null;
  /** Template and the path it goes to, relative to the project. */
  readonly files: readonly { readonly template: string; readonly path: string; readonly view: object }[];
}

const commands: Readonly<
  Record<
    PackageManager,
    { readonly setup: string; readonly install: string; readonly exec: string; readonly add: string }
  >
> = {
  npm: { setup: '', install: 'npm ci', exec: 'npx', add: 'npm install --save-dev' },
  pnpm: {
    setup: 'corepack enable pnpm',
    install: 'pnpm install --frozen-lockfile',
    exec: 'pnpm exec',
    add: 'pnpm add --save-dev',
  },
  yarn: { setup: 'corepack enable yarn', install: 'yarn install --immutable', exec: 'yarn', add: 'yarn add --dev' },
  bun: {
    setup: 'npm install --global bun',
    install: 'bun install --frozen-lockfile',
    exec: 'bunx',
    add: 'bun add --dev',
  },
};

/** How the project's package manager runs a tool. */
export function execCommand(manager: PackageManager): string {
  return commands[manager].exec;
}

/** Which files `pv init` writes here: a package.json only where there is none, a kernel under src/. */
export async function planInit(host: Host): Promise<InitPlan> {
  const manager = await packageManagerOf(host);
  const install = await installOf(host, manager);
  const modulePath = 'src/kernels/leaky-relu.ts';
  const packageFile =
    (await host.kindOf('package.json')) === 'missing'
      ? [{ template: 'package', path: 'package.json', view: { name: JSON.stringify(packageName(host.root)) } }]
      : [];
  return {
    manager,
    install,
    files: [
      ...packageFile,
      { template: 'contract', path: 'contracts/leaky-relu-v1.yaml', view: {} },
      { template: 'binding', path: 'contracts/binding.yaml', view: { modulePath } },
      { template: 'kernel', path: modulePath, view: {} },
      { template: 'workflow', path: '.github/workflows/contracts.yml', view: commands[manager] },
      { template: 'ignore', path: '.pv/.gitignore', view: {} },
    ],
  };
}

const ownName = 'provable-contracts';

/** CI installs what package.json lists, so being installed is not enough. */
async function installOf(host: Host, manager: PackageManager): Promise<string | null> {
  const manifest = await host.readText('package.json');
  const isListed = manifest.ok && manifest.value.includes(`"${ownName}"`);
  if (!isListed) return `${commands[manager].add} ${ownName}`;
  return (await isInstalled(host, host.root)) ? null : `${manager} install`;
}

/** In a workspace packages are installed above it. */
async function isInstalled(host: Host, folder: string): Promise<boolean> {
  if ((await host.kindOf(join(folder, 'node_modules', ownName, 'package.json'))) === 'file') return true;
  const plugged = (await host.kindOf(join(folder, '.pnp.cjs'))) === 'file';
  return plugged || (dirname(folder) !== folder && isInstalled(host, dirname(folder)));
}

/** `packageManager` of package.json decides, then the lock file, then npm. */
async function packageManagerOf(host: Host): Promise<PackageManager> {
  const text = await host.readText('package.json');
  const declared = text.ok ? /"packageManager"\s*:\s*"(npm|pnpm|yarn|bun)@/u.exec(text.value)?.[1] : undefined;
  if (declared === 'npm' || declared === 'pnpm' || declared === 'yarn' || declared === 'bun') return declared;
  const locks = [
    ['pnpm-lock.yaml', 'pnpm'],
    ['yarn.lock', 'yarn'],
    ['bun.lock', 'bun'],
    ['bun.lockb', 'bun'],
  ] as const;
  for (const [file, manager] of locks) if ((await host.kindOf(file)) === 'file') return manager;
  return 'npm';
}

function packageName(root: string): string {
  return (
    basename(root)
      .toLowerCase()
      .replace(/[^a-z0-9-]+/gu, '-')
      .replace(/^-+|-+$/gu, '') || 'contracts'
  );
}
