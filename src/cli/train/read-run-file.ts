/** Reads run files and invariants files, and points at the key at fault. */
import { dirname } from 'node:path';
import type { JsonObject } from '../../base/canonical-json.ts';
import { ok, type Result } from '../../base/result.ts';
import { quoted } from '../../base/text.ts';
import { containedPath } from '../../host/contained-path.ts';
import type { Host } from '../../host/host.ts';
import type { FileKind } from '../../contract/yaml/hygiene.ts';
import { nodeAt, plainObject, type PathStep, type YamlMapping } from '../../contract/yaml/node.ts';
import { diagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Code } from '../../diagnostics/codes.ts';
import { codes } from '../../diagnostics/codes.ts';
import type { SourceFile } from '../../diagnostics/source.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { textFileOf } from '../../training/run/model-and-data.ts';
import { largestText } from '../../training/run/text-task.ts';
import { readRun, type Run } from '../../training/run/run-file.ts';
import type { Cli } from '../cli.ts';
import { readYamlFile } from '../read-yaml-file.ts';

const runFile: FileKind = {
  name: 'a run file',
  start: 'Copy examples/train/gnn.yaml; docs/training.md explains its keys.',
};

/** The run, or null after reporting what is wrong with its file. */
export const readRunFile = (cli: Cli, path: string): Promise<Run | null> =>
  readSettings(cli, path, runFile, async (document) => {
    const file = await readTextFile(cli.host, path, textFileOf(document));
    return file.ok ? readRun(document, file.value) : file;
  });

/** What `read` makes of a YAML file, or null after reporting what is wrong with it. */
export async function readSettings<T>(
  cli: Cli,
  path: string,
  kind: FileKind,
  read: (document: JsonObject) => Promise<Result<T, Problem>>,
): Promise<T | null> {
  const file = await readYamlFile(cli, path, kind);
  if (file === null) return null;
  const { source, root } = file;
  const settings = await read(plainObject(root));
  if (settings.ok) return settings.value;
  await cli.show([located(source, root, settings.error)]);
  return null;
}

/** The text that a run file names, which must lie in its folder; PV-8320 if it does not, PV-8321 if it cannot be read. */
async function readTextFile(
  host: Host,
  path: string,
  file: string | null,
): Promise<Result<Uint8Array | null, Problem>> {
  if (file === null) return ok(null);
  const at = await containedPath(host, dirname(path), file);
  if (!at.ok && at.error.kind === 'outside')
    return wrong(
      'PV-8320',
      'training text',
      `run.data.file ${quoted(file)} leads out of the run file's folder; put the text next to the run file or below it.`,
    );
  const bytes = at.ok ? await host.readBytes(at.value, { maxBytes: largestText }) : at;
  return bytes.ok ? bytes : wrong('PV-8321', 'training text', `run.data.file ${quoted(file)} ${bytes.error.message}.`);
}

/** Places the problem at the key that its message begins with, such as `run.model.hidden[1]`, or at the mapping that lacks it. */
function located(source: SourceFile, root: YamlMapping, { code, message }: Problem): Diagnostic {
  const path = pathOf(message);
  let found = nodeAt(root, path);
  while (found === null && path.length > 0) {
    path.pop();
    found = nodeAt(root, path);
  }
  const range = found?.entry?.keyRange ?? found?.node.range ?? { start: 0, end: 0 };
  return diagnostic(isCode(code) ? code : 'PV-8405', { source, range }, message);
}

function pathOf(message: string): PathStep[] {
  const [, path = ''] = /^(?:run|file)((?:\.[\w-]+|\[\d+\])*)/.exec(message) ?? [];
  return [...path.matchAll(/\.([\w-]+)|\[(\d+)\]/g)].map(([, key, index]) => key ?? Number(index));
}

const isCode = (code: string): code is Code => Object.hasOwn(codes, code);
