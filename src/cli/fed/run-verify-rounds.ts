/** Verifies every round in the folders of nodes, and reports what was shown of each. */
import { present } from '../../base/invariant.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { count, quoted, visible } from '../../base/text.ts';
import { exitCodes, type ExitCode } from '../../api/exit-code.ts';
import { fedLearnConfig } from '../../federated/config.ts';
import { mostModules } from '../../federated/manifest.ts';
import { mostSubmissions } from '../../federated/statements.ts';
import { learnedNorm, loraRules } from '../../federated/lora-rules.ts';
import { keyOfNode, parseNodeId, type NodeId, type Roster } from '../../federated/node-id.ts';
import { readBaseModel, type BaseModel } from '../../federated/train/base-model.ts';
import { verifyFolders, type FolderVerdict } from '../../federated/verify/verify-folders.ts';
import { readNodeFolder, roundsIn, type NodeFolder } from '../../federated/verify/verify-round.ts';
import { print, say, type Cli } from '../cli.ts';
import { writePage } from '../html/write-page.ts';
import { sayProblem } from '../problem-text.ts';
import { inFolder, maxRunBytes, sayFile } from '../train/run-folder.ts';
import { readTextOf } from '../trace/input.ts';
import { roundsJson, roundsText, type VerifiedFolders } from './rounds-text.ts';

/** Flags of `pv fed verify`. */
export type VerifyRoundsFlags = Readonly<{ base: string; roster?: string; html?: string; json: boolean }>;

/** Exits with 0 only if there is a round, every round ended with a result that verifies, and no folder contradicts it. */
export async function runVerifyRounds(
  cli: Cli,
  { html, json, ...trust }: VerifyRoundsFlags,
  ...paths: readonly string[]
): Promise<ExitCode> {
  const verified = await verifyPaths(cli, trust, paths);
  if (!verified.ok) return verified.error;
  const { folders, verdicts, scope } = verified.value;
  print(cli, json ? roundsJson(verdicts, trust.roster !== undefined) : roundsText(verdicts, scope));
  for (const { verified: one, folder } of verdicts) if (!one.ok) sayProblem(cli, one.error, folder);
  for (const from of folders) {
    if (roundsIn(from).length === 0) say(cli, `pv: ${visible(from.folder)} has no round`);
    if (from.tornBytes > 0)
      say(
        cli,
        `pv: ${visible(from.folder)}: the log ends in ${count(from.tornBytes, 'byte')} of a line that was cut short`,
      );
  }
  if (html !== undefined) {
    const { roundsPage } = await import('./rounds-page.ts');
    if (!(await writePage(cli, html, roundsPage(verified.value)))) return exitCodes.usage;
  }
  return exitCodeOf(verdicts);
}

/** Verifies folders with files that the user names; an exit code after reporting what cannot be read. */
export async function verifyPaths(
  cli: Cli,
  { base: baseFolder, roster: rosterPath }: Pick<VerifyRoundsFlags, 'base' | 'roster'>,
  paths: readonly string[],
): Promise<Result<VerifiedFolders, ExitCode>> {
  const base = await readBase(cli, baseFolder);
  const roster = rosterPath === undefined ? ok(null) : await readRoster(cli, rosterPath);
  if (base === null || !roster.ok) return err(exitCodes.usage);
  const folders = await readFolders(cli, paths);
  if (!folders.ok) return folders;
  const trusted = roster.value;
  const trusts: Roster = (node) => trusted === null || trusted.has(node);
  const verdicts = await verifyFolders(
    {
      host: cli.host,
      trusts,
      config: present(limits(), 'the defaults are a configuration'),
      rules: loraRules(base),
      norm: (bytes, manifest, previous) => learnedNorm(base, bytes, manifest, previous),
    },
    folders.value,
  );
  const scope =
    trusted === null ? 'identities not checked: pass --roster' : `signed by identities of ${visible(rosterPath ?? '')}`;
  return ok({ folders: folders.value, verdicts, scope });
}

function exitCodeOf(verdicts: readonly FolderVerdict[]): ExitCode {
  const results = new Map<string, boolean>();
  for (const { round, verified } of verdicts) {
    if (!verified.ok) return exitCodes.findings;
    results.set(round, (results.get(round) ?? false) || verified.value.recomputed);
  }
  if (results.size === 0) return exitCodes.findings;
  return [...results.values()].every(Boolean) ? exitCodes.ok : exitCodes.undetermined;
}

async function readFolders(cli: Cli, paths: readonly string[]): Promise<Result<readonly NodeFolder[], ExitCode>> {
  const folders: NodeFolder[] = [];
  for (const path of paths) {
    const folder = await readNodeFolder(cli.host, path);
    if (!folder.ok) {
      sayProblem(cli, folder.error, path);
      return err(folder.error.code === 'PV-8600' ? exitCodes.findings : exitCodes.usage);
    }
    folders.push(folder.value);
  }
  return ok(folders);
}

/** The base model of a run folder; null after reporting why it cannot be used. */
export async function readBase(cli: Cli, folder: string): Promise<BaseModel | null> {
  const files: Uint8Array[] = [];
  for (const name of ['certificate.json', 'weights.safetensors']) {
    const read = await cli.host.readBytes(inFolder(folder, name), { maxBytes: maxRunBytes });
    if (!read.ok) {
      sayFile(cli, read.error);
      return null;
    }
    files.push(read.value);
  }
  const [certificate, weights] = files;
  const base = readBaseModel(certificate ?? new Uint8Array(0), weights ?? new Uint8Array(0));
  if (base.ok) return base.value;
  sayProblem(cli, base.error, folder);
  return null;
}

/** Nobody's limits but those of the format, since a third party does not join; what files cost is bounded by their sizes. */
function limits() {
  const config = fedLearnConfig({
    enabled: true,
    minRoundParticipants: 1,
    maxRoundParticipants: mostSubmissions,
    maxTrainSteps: Number.MAX_SAFE_INTEGER,
    maxLoraTargetModules: mostModules,
    maxLoraRank: Number.MAX_SAFE_INTEGER,
    submissionMaxBytes: 2 ** 30,
  });
  return config.ok ? config.value : null;
}

/** The IDs in a roster file; an error after reporting the line at fault. */
export async function readRoster(cli: Cli, path: string): Promise<Result<ReadonlySet<NodeId>, null>> {
  const text = await readTextOf(cli, path, 'verifier key');
  if (typeof text === 'number') return err(null);
  /** By their public keys. */
  const nodes = new Map<string, NodeId>();
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const node = parseNodeId(line.trim());
    if (node === null) {
      say(
        cli,
        `pv: line ${i + 1} of ${visible(path)} is not the ID of a node (NAME+KEYID+BASE64): ${quoted(visible(line), 80)}`,
      );
      return err(null);
    }
    const key = keyOfNode(node)?.publicKey.join() ?? '';
    const twin = nodes.get(key) ?? node;
    // One person under two names would count as two participants.
    if (twin !== node) {
      say(cli, `pv: line ${i + 1} of ${visible(path)} has the key of ${visible(twin)} under another name: remove one`);
      return err(null);
    }
    nodes.set(key, node);
  }
  return ok(new Set(nodes.values()));
}
