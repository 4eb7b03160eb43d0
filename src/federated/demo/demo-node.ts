/** A node of the demo, with its folder, key and text. */
import { ok } from '../../base/result.ts';
import { present } from '../../base/invariant.ts';
import { encodeUtf8 } from '../../base/utf8.ts';
import type { Host } from '../../host/host.ts';
import { generateSigner, parseSignerKey, type Signer } from '../../notes/signer.ts';
import { sha256 } from '../../merkle/sha256.ts';
import { nextUint32, streamFor } from '../../numeric/xoshiro.ts';
import { certificateFile } from '../../training/certificate/files.ts';
import { orThrow } from '../../training/training-error.ts';
import type { InProcessHub } from '../bus/in-process.ts';
import type { Bus } from '../bus/bus.ts';
import { fedLearnConfig } from '../config.ts';
import type { DeltaRules } from '../delta-rules.ts';
import { loraRules } from '../lora-rules.ts';
import { nodeIdOf, type NodeId } from '../node-id.ts';
import { createAdapters } from '../node/adapters.ts';
import { createRoundCoordinator } from '../node/coordinator.ts';
import { openFedNode } from '../node/fed-node.ts';
import { createRoundParticipant } from '../node/participant.ts';
import { serveNode } from '../node/serve.ts';
import type { Served } from '../node/served.ts';
import type { BaseModel } from '../train/base-model.ts';
import { localTraining } from '../train/local-training.ts';
import { customFileProvider } from '../train/providers.ts';
import type { RandomBytes } from '../ulid.ts';

/** What the nodes of a demo share. */
export interface DemoWorld {
  readonly host: Host;
  /** Where everything is written. */
  readonly folder: string;
  readonly hub: InProcessHub;
  readonly base: BaseModel;
  /** In milliseconds since 1970; the demo moves it. */
  readonly clock: { now: number };
  readonly trusted: ReadonlySet<NodeId>;
}

/** A node that runs. */
export interface DemoNode extends Served {
  readonly name: string;
  readonly bus: Bus;
  /** Leaves silently: it no longer answers. */
  readonly vanish: () => Promise<void>;
}

/** The key of a demo node. It follows from the name, so that every run gives the same bytes; real keys must not. */
export function demoSigner(name: string): Signer {
  const seed = sha256(encodeUtf8(`pv fed demo ${name}`));
  const key = generateSigner(name, 'ed25519', seed);
  return orThrow(parseSignerKey(orThrow(key).signerKey));
}

export const demoId = (name: string): NodeId => nodeIdOf(demoSigner(name).key);

/** Opens a node that trains on `text`; `rules` are those of LoRA unless it is hostile. */
export async function openDemoNode(
  world: DemoWorld,
  name: string,
  text: string,
  rules: DeltaRules = loraRules(world.base),
): Promise<DemoNode> {
  const { host, base, clock } = world;
  const folder = `${world.folder}/nodes/${name}`;
  const written = await host.writeFileAtomic(`${folder}/data.txt`, text);
  if (!written.ok) throw new Error(written.error.message);
  const bus = world.hub.connect();
  const node = orThrow(
    await openFedNode({
      signer: demoSigner(name),
      host,
      folder,
      bus,
      config: present(enabledConfig(), 'the defaults are a configuration'),
      trusts: (id) => world.trusted.has(id),
      rules,
      now: () => clock.now,
      random: demoRandom(name),
    }),
  );
  const participant = createRoundParticipant(
    node,
    localTraining({
      base,
      provider: customFileProvider(host, `${folder}/data.txt`),
      previous: async () => null,
      onTrained: async (_, certificate) => {
        const kept = await host.writeFileAtomic(`${folder}/training.json`, certificateFile(certificate));
        if (!kept.ok) throw new Error(kept.error.message);
      },
    }),
  );
  const adapters = createAdapters(node, async () => ok(undefined));
  const served: Served = { node, coordinator: createRoundCoordinator(node), participant, adapters };
  const stop = await serveNode(served);
  if (!stop.ok) throw new Error(stop.error.code);
  return {
    ...served,
    name,
    bus,
    vanish: async () => {
      await stop.value();
      await bus.close();
      await node.close();
    },
  };
}

function enabledConfig() {
  const config = fedLearnConfig({ enabled: true });
  return config.ok ? config.value : null;
}

/** Repeatable bytes for the IDs of the demo. */
function demoRandom(name: string): RandomBytes {
  const stream = streamFor(1, `pv fed demo ${name}`);
  return (size) => Uint8Array.from({ length: size }, () => nextUint32(stream) & 0xff);
}
