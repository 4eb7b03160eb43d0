/** Applied adapters as files, and what goes back when one is discarded. */
import { describe, expect, it } from 'vitest';
import { createMemoryHost } from '../../../src/host/memory-host.ts';
import { parseAdapterConfig } from '../../../src/federated/adapter/adapter-config.ts';
import { writeAdapter } from '../../../src/federated/adapter/adapter-file.ts';
import { initialAdapter } from '../../../src/federated/adapter/initial-adapter.ts';
import { layersOf } from '../../../src/federated/lora-rules.ts';
import type { RoundManifest } from '../../../src/federated/manifest.ts';
import { adapterFolder, peftFiles } from '../../../src/federated/node/adapter-folder.ts';
import { shaOf } from '../../../src/federated/store/blobs.ts';
import type { RoundId } from '../../../src/federated/ulid.ts';
import { draftOf, good, idOf } from '../nodes.ts';
import { smallBase } from '../train/support.ts';

const base = await smallBase();
const manifest: RoundManifest = {
  ...draftOf({ baseModelSha: base.sha256, loraTargetModules: ['query', 'up'], loraRank: 4, loraAlpha: 8 }),
  format: 'pv-fedlearn-manifest/1',
  roundId: '01KT1GW6G0VYEDNCZY18V8J49C' as RoundId, // the form is right
  coordinator: idOf('ada'),
  coordinatorSig: new Uint8Array(64),
};
const adapterOf = (seed: number, rank = 4): Uint8Array =>
  writeAdapter(initialAdapter(seed, good(layersOf(base, manifest)), rank));

describe('the folder of an applied adapter', () => {
  it('has what PEFT loads, and the name of the adapter in use', async () => {
    const host = createMemoryHost();
    const target = adapterFolder(host, 'node/adapters', base);
    const bytes = adapterOf(1);
    const sha = shaOf(bytes);
    good(await target('session', { sha, bytes, manifest }));
    expect(good(await host.readText('node/adapters/session.sha'))).toBe(`${sha}\n`);
    expect(good(await host.readBytes(`node/adapters/${sha}/adapter_model.safetensors`))).toEqual(bytes);
    const config = good(await host.readText(`node/adapters/${sha}/adapter_config.json`));
    expect(good(parseAdapterConfig(config))).toMatchObject({ rank: 4, alpha: 8, targetModules: ['query', 'up'] });
    good(await target('session', null));
    expect(await host.kindOf('node/adapters/session.sha')).toBe('missing');
  });

  it('has the rank and the alpha of an aggregate whose ranks add up', () => {
    const config = good(peftFiles(base, adapterOf(1, 12), manifest)).get('adapter_config.json');
    expect(good(parseAdapterConfig(String(config)))).toMatchObject({ rank: 12, alpha: 24 });
  });

  it('is not written for what is not an adapter of the round', async () => {
    const host = createMemoryHost();
    const target = adapterFolder(host, 'node/adapters', base);
    const bytes = adapterOf(1);
    const other = { ...manifest, loraTargetModules: ['down'] };
    for (const adapter of [
      { sha: shaOf(bytes), bytes, manifest: null },
      { sha: shaOf(bytes), bytes, manifest: other },
      { sha: shaOf(bytes), bytes: bytes.subarray(0, 90), manifest },
    ])
      expect((await target('node', adapter)).ok).toBe(false);
    expect(await host.kindOf('node/adapters')).toBe('missing');
  });
});
