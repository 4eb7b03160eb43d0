/** Reads a run file, and points at the key at fault. */
import { parseYaml } from '../../contract/yaml/parse.ts';
import { nodeAt, plainObject, type PathStep, type YamlMapping } from '../../contract/yaml/node.ts';
import { diagnostic, type Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Code } from '../../diagnostics/codes.ts';
import { codes } from '../../diagnostics/codes.ts';
import type { SourceFile } from '../../diagnostics/source.ts';
import type { Problem } from '../../base/problem.ts';
import { readRun, type Run } from '../../training/run/run-file.ts';
import { say, type Cli } from '../cli.ts';

/** Run files take about a page. */
const largestRunFile = 1024 * 1024;

/** The run, or null after reporting what is wrong with its file. */
export async function readRunFile(cli: Cli, path: string): Promise<Run | null> {
  const text = await cli.host.readText(path, { maxBytes: largestRunFile });
  if (!text.ok) {
    say(cli, `pv: ${path}: ${text.error.message}`);
    return null;
  }
  const source: SourceFile = { path, text: text.value };
  const { value: root, diagnostics } = parseYaml(source);
  if (root === null) {
    await cli.show(diagnostics);
    return null;
  }
  const run = readRun(plainObject(root));
  if (run.ok) return run.value;
  await cli.show([...diagnostics, located(source, root, run.error)]);
  return null;
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
  const [, path = ''] = /^run((?:\.[\w-]+|\[\d+\])*)/.exec(message) ?? [];
  return [...path.matchAll(/\.([\w-]+)|\[(\d+)\]/g)].map(([, key, index]) => key ?? Number(index));
}

const isCode = (code: string): code is Code => Object.hasOwn(codes, code);
