/**
 * A two-node loopback round (specification, section 8.3), as a new user runs it: the commands of docs/federated.md, "Two nodes over NATS", typed
 * into one shell. Skipped where nats-server is not installed.
 */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { present } from '../../src/base/invariant.ts';
import { readAdapter } from '../../src/federated/adapter/adapter-file.ts';
import { layoutOf } from '../../src/federated/adapter/layout.ts';
import { villageText } from '../../src/federated/demo/village-text.ts';
import { readBaseModel } from '../../src/federated/train/base-model.ts';
import { adaptModel } from '../../src/federated/train/lora.ts';
import { perplexity } from '../../src/federated/train/perplexity.ts';
import { good } from '../federated/nodes.ts';
import { hasNatsServer } from '../federated/bus/nats-server.ts';
import { ensureBuilt, repositoryRoot } from '../support/built.ts';

const page = await readFile(join(repositoryRoot, 'docs/federated.md'), 'utf8');
const [, section = ''] = /<!-- two nodes:[^\n]*-->\n([^]*?)<!-- end of two nodes -->/.exec(page) ?? [];
const blocks = [...section.matchAll(/```sh\n([^]*?)```/g)].map(([, block = '']) => block);

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const folder = await mkdtemp(join(tmpdir(), 'pv-two-nodes-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** What a run without the server says. */
const absent = hasNatsServer ? '' : ' (skipped: nats-server is not installed)';

describe.skipIf(!hasNatsServer)(`the page about two nodes over NATS${absent}`, () => {
  beforeAll(async () => {
    ensureBuilt();
    await mkdir(join(folder, 'bin'));
    await symlink(join(repositoryRoot, 'dist/cli/bin.js'), join(folder, 'bin/pv'));
  }, 240_000);

  it('leads from keys to an applied and verified adapter', { timeout: 220_000 }, async () => {
    expect(blocks.length).toBeGreaterThan(10);
    const port = await freePort();
    const script = blocks.join('\n').replaceAll('4222', String(port));
    // Whatever happens, nothing that the script started goes on.
    const shell = spawn('bash', ['-c', `trap 'kill $(jobs -p) 2> /dev/null' EXIT\nset -e\n${script}`], {
      cwd: folder,
      env: { ...process.env, PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 200_000,
    });
    let [stdout, stderr] = ['', ''];
    shell.stdout.on('data', (text: Buffer) => void (stdout += text.toString()));
    shell.stderr.on('data', (text: Buffer) => void (stderr += text.toString()));
    const code = await new Promise((resolve) => shell.once('close', resolve));
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const [, sha = ''] = /^applied ([0-9a-f]{64}) to the node/m.exec(stdout) ?? [];
    expect(stdout).toContain('not joined yet');
    expect(stderr).toContain('refused: consent_required');
    expect(stdout).toContain(`\n${sha}\nadapter_config.json\nadapter_model.safetensors\nwrote adapter\n`);
    expect(stdout).toContain('node: the base model alone');
    expect(stdout).toMatch(/^VERIFIED: round \w{26}: 2 submissions aggregated again to the same adapter; signed by/m);
    expect(stdout).toMatch(/^submitted \w{26}, masked: \d+ samples/m);
    expect(stdout).toMatch(/ {2}secure {7}masked\n/);
    expect(stdout).toMatch(/^VERIFIED: round \w{26}: 3 submissions aggregated again to the same adapter; signed by/m);
    expect(stdout).toContain('double_mask: the sum of 3 survivors of 3 participants');
    expect(await readFile(join(folder, 'clara.log'), 'utf8')).toMatch(/COMPLETED +3 joined, 3 submitted\n/);

    const file = async (name: string) => new Uint8Array(await readFile(join(folder, name)));
    const base = good(
      readBaseModel(await file('fed-demo/base/certificate.json'), await file('fed-demo/base/weights.safetensors')),
    );
    const adapter = good(readAdapter(await file('adapter/adapter_model.safetensors')));
    const { layers, rank } = good(layoutOf(adapter));
    const merged = adaptModel(base, layers, { rank, alpha: 8 }).merged(
      (name) => present(adapter.get(name), 'a factor').data,
    );
    const heldOut = new TextEncoder().encode(villageText(1, 'held out', 60));
    const before = perplexity(base, (name) => present(base.weights.get(name), 'a weight'), heldOut);
    // The specification asks for at most twice the perplexity.
    expect(perplexity(base, merged, heldOut)).toBeLessThan(before);
  });
});
