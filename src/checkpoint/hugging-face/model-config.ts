/** `config.json` and `adapter_config.json`: what a model or an adapter says about itself. */
import type { Problem } from '../../base/problem.ts';
import { ok, type Result } from '../../base/result.ts';
import type { CheckpointFiles } from '../checkpoint-files.ts';
import type { Setting } from '../checkpoint.ts';
import { parsePythonJson } from './python-json.ts';

/** Of all of them. */
export interface ModelConfig {
  /** `transformers` and `peft`, where they wrote theirs. */
  readonly versions: ReadonlyMap<string, string>;
  /** Scalars of the adapter, or of the model where there is no adapter. */
  readonly settings: ReadonlyMap<string, Setting>;
}

/** Reads what is there; PV-8504 if a file is not JSON. */
export async function modelConfig(files: CheckpointFiles): Promise<Result<ModelConfig, Problem>> {
  const versions = new Map<string, string>();
  const settings = new Map<string, Setting>();
  for (const name of ['config.json', 'adapter_config.json']) {
    if (!files.names.includes(name)) continue;
    const text = await files.text(name);
    const json = text.ok ? parsePythonJson(text.value, name) : text;
    if (!json.ok) return json;
    if (name === 'adapter_config.json') settings.clear();
    for (const [key, value] of Object.entries(Object(json.value))) {
      const library = /^(.+)_version$/u.exec(key)?.[1];
      if (library !== undefined && typeof value === 'string') versions.set(library, value);
      else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
        settings.set(key, value);
    }
  }
  return ok({ versions, settings });
}
