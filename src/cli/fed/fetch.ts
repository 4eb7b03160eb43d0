import { capabilities } from '../../federated/node/capabilities.ts';
import { peftFiles, writePeft } from '../../federated/node/adapter-folder.ts';
import { refuse } from '../../federated/fed-code.ts';
import { createBlobs } from '../../federated/store/blobs.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { say, type Cli } from '../cli.ts';
import { defineCommand } from '../command.ts';
import { sayFile } from '../train/run-folder.ts';
import { visible } from '../../base/text.ts';
import { adapterArgument } from './adapter-argument.ts';
import { nodeFlags, type NodeFlags } from './node-flags.ts';
import { fetched } from './replies.ts';
import { answer, reportRefusal } from './report.ts';
import { readBase } from './run-verify-rounds.ts';
import { withNode, type OwnNode } from './with-node.ts';

type Flags = NodeFlags & Readonly<{ out: string }>;

/** `pv fed fetch SHA`. */
export const fetch = defineCommand<Flags, readonly [string]>({
  description:
    'Fetches the adapter with a SHA-256 from the bus, or from the node that aggregated it, and writes it as a PEFT folder: the file\n' +
    'whose hash was checked, and adapter_config.json after the manifest of its round. Applies nothing.',
  examples: [['pv fed fetch SHA --out adapter', 'Write adapter/']],
  flags: {
    ...nodeFlags,
    out: { kind: 'parsed', parse: String, placeholder: 'folder', brief: 'A new folder for the adapter' },
  },
  positional: adapterArgument,
  run: (cli, flags, sha) => withNode(cli, flags, (node) => fetchAdapter(cli, flags, node, sha)),
});

async function fetchAdapter(
  cli: Cli,
  { out, json }: Flags,
  { settings, command }: OwnNode,
  sha: string,
): Promise<ExitCode> {
  if ((await cli.host.kindOf(out)) !== 'missing') {
    say(cli, `pv: ${visible(out)} exists: choose another folder with --out`);
    return exitCodes.usage;
  }
  const held = await command(capabilities.fetch, { sha }, fetched);
  if (typeof held === 'number') return held;
  const base = await readBase(cli, settings.base);
  if (base === null) return exitCodes.usage;
  const bytes = await createBlobs(cli.host, `${settings.folder}/blobs`).get(sha, settings.config.submissionMaxBytes);
  const { manifest } = held.value;
  if (bytes === null || manifest === null)
    return reportRefusal(cli, json, refuse('adapter_not_found', 'no round that this node knows gave it').error);
  const files = peftFiles(base, bytes, manifest);
  if (!files.ok) return reportRefusal(cli, json, refuse('delta_invalid', files.error).error);
  const written = await writePeft(cli.host, out, files.value);
  if (written.ok) return answer(cli, json, held.json, `wrote ${visible(out)}`);
  sayFile(cli, written.error);
  return exitCodes.usage;
}
