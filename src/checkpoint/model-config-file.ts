/** The scalars of the `config.json` in a checkpoint folder, which describes its model. */
import { asClause } from '../host/file-problem.ts';
import type { Problem } from '../base/problem.ts';
import { ok, type Result } from '../base/result.ts';
import { wrong } from '../base/problem.ts';
import type { Host } from '../host/host.ts';
import type { Setting } from './checkpoint.ts';
import { parsePythonJson } from './hugging-face/python-json.ts';

/** Null if the folder has none; PV-8504 if it is not JSON. */
export async function readModelConfig(
  host: Host,
  folder: string,
): Promise<Result<ReadonlyMap<string, Setting> | null, Problem>> {
  const path = `${folder}/config.json`;
  if ((await host.kindOf(path)) !== 'file') return ok(null);
  const text = await host.readText(path);
  if (!text.ok) return wrong('PV-8502', 'file', `config.json cannot be read: ${asClause(text.error)}.`);
  const json = parsePythonJson(text.value, 'config.json');
  if (!json.ok) return json;
  const isScalar = (value: unknown): value is Setting =>
    value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return ok(
    new Map(
      Object.entries(Object(json.value)).flatMap(([key, value]) => (isScalar(value) ? [[key, value] as const] : [])),
    ),
  );
}
