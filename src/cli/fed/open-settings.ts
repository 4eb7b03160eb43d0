/** Opens what a node's settings name: key, roster, base model, data, connection. Each problem is reported here. */
import { visible } from '../../base/text.ts';
import { connectNats } from '../../federated/bus/nats.ts';
import type { Bus } from '../../federated/bus/bus.ts';
import { nodeIdOf, type NodeId } from '../../federated/node-id.ts';
import {
  chatHistoryProvider,
  customFileProvider,
  knowledgeBaseProvider,
  type TrainingDataProvider,
} from '../../federated/train/providers.ts';
import type { Signer } from '../../notes/signer.ts';
import { say, type Cli } from '../cli.ts';
import { sayProblem } from '../problem-text.ts';
import { readSettings } from '../train/read-run-file.ts';
import { sayFile } from '../train/run-folder.ts';
import { readSigners } from '../trace/signing.ts';
import { readNodeFile, type NodeFile } from './node-file.ts';
import type { NodeFlags } from './node-flags.ts';

const settingsFile = {
  name: 'the settings of a node',
  start: 'docs/federated.md, "Two nodes over NATS", has one to copy.',
};

/** Settings whose key was read. */
export interface Settings extends NodeFile {
  readonly signer: Signer;
  readonly self: NodeId;
}

/** The settings that the flags name; null after reporting what is wrong with them. */
export async function openSettings(cli: Cli, { config: path, nats }: NodeFlags): Promise<Settings | null> {
  const file = await readSettings(cli, path, settingsFile, async (document) => readNodeFile(document, path));
  if (file === null) return null;
  const signers = await readSigners(cli, [file.key]);
  if (typeof signers === 'number') return null;
  const [signer] = signers;
  if (signer?.key.type !== 'ed25519') {
    say(cli, `pv: ${visible(file.key)} is a key for cosignatures: make the node’s key with pv trace keygen NAME`);
    return null;
  }
  return { ...file, nats: nats ?? file.nats, signer, self: nodeIdOf(signer.key) };
}

/** The connection; null after reporting why there is none. `timeoutMs` is how long a request may take. */
export async function connect(cli: Cli, settings: Settings, timeoutMs: number): Promise<Bus | null> {
  const secrets = await readSecrets(cli, settings);
  if (secrets === null) return null;
  const { credentials, token, ca } = secrets;
  // With options for TLS, a server without it is refused, and so is whoever pretends to be one.
  const needsTls = ca !== undefined || settings.nats.startsWith('tls://');
  const bus = await connectNats({
    servers: settings.nats.replace(/^tls:/, 'nats:'),
    timeoutMs,
    ...(credentials !== undefined && { credentials }),
    connection: {
      name: settings.signer.key.name,
      ...(token !== undefined && { token: token.trim() }),
      ...(needsTls && { tls: ca === undefined ? {} : { ca } }),
    },
  });
  if (bus.ok) return bus.value;
  sayProblem(cli, bus.error);
  return null;
}

interface Secrets {
  readonly credentials?: string;
  readonly token?: string;
  readonly ca?: string;
}

/** What the files for the connection hold; null after reporting which cannot be read. */
async function readSecrets(cli: Cli, { natsFiles }: NodeFile): Promise<Secrets | null> {
  const read: Record<string, string> = {};
  for (const [role, path] of Object.entries(natsFiles)) {
    if (path === null) continue;
    const content = await cli.host.readText(path);
    if (!content.ok) {
      sayFile(cli, content.error);
      return null;
    }
    read[role] = content.value;
  }
  return read;
}

/** Where the node's training text comes from; null where its settings name no data. */
export function providerOf({ host }: Cli, { data }: NodeFile): TrainingDataProvider | null {
  if (data === null) return null;
  const make = { file: customFileProvider, chat_history: chatHistoryProvider, knowledge_base: knowledgeBaseProvider };
  return make[data.provider](host, data.path);
}
