/**
 * Applied adapters as files in a node's folder, for whatever loads them: `adapters/SHA/` is a PEFT folder, and `adapters/SCOPE.sha` names
 * the one in use.
 */
import { err, ok, type Result } from '../../base/result.ts';
import type { FileProblem, Host } from '../../host/host.ts';
import { adapterConfigText } from '../adapter/adapter-config.ts';
import { adapterFault } from '../adapter/adapter-fault.ts';
import { readAdapter } from '../adapter/adapter-file.ts';
import { layoutOf } from '../adapter/layout.ts';
import { layersOf } from '../lora-rules.ts';
import type { RoundManifest } from '../manifest.ts';
import type { BaseModel } from '../train/base-model.ts';
import type { AdapterTarget } from './adapters.ts';

/** The files of a PEFT folder by their names. */
type PeftFiles = ReadonlyMap<'adapter_config.json' | 'adapter_model.safetensors', Uint8Array | string>;

/** The PEFT folder of an aggregate; an error if the bytes are not an adapter that the round can have given to this base model. */
export function peftFiles(base: BaseModel, bytes: Uint8Array, manifest: RoundManifest): Result<PeftFiles, string> {
  const layers = layersOf(base, manifest);
  const adapter = layers.ok ? readAdapter(bytes) : layers;
  const layout = adapter.ok ? layoutOf(adapter.value) : adapter;
  if (!layers.ok || !layout.ok)
    return err(layers.ok && !layout.ok ? layout.error : 'the base model has no such layers');
  const { loraRank, loraAlpha, loraDropout, loraTargetModules: targetModules, baseModelId: baseModel } = manifest;
  // The ranks of `stack` add up, and alpha with them.
  const { rank } = layout.value;
  const alpha = (loraAlpha * rank) / loraRank;
  const fault = adapterFault(bytes, { layers: layers.value, targetModules, rank, alpha, frozen: null });
  if (fault !== null) return err(fault);
  const config = adapterConfigText({ rank, alpha, dropout: loraDropout, targetModules, baseModel });
  return ok(
    new Map<'adapter_config.json' | 'adapter_model.safetensors', Uint8Array | string>([
      ['adapter_config.json', config],
      ['adapter_model.safetensors', bytes],
    ]),
  );
}

/** Writes the files of a PEFT folder. */
export async function writePeft(host: Host, folder: string, files: PeftFiles): Promise<Result<void, FileProblem>> {
  for (const [name, content] of files) {
    const written = await host.writeFileAtomic(`${folder}/${name}`, content);
    if (!written.ok) return written;
  }
  return ok(undefined);
}

/** Applies adapters to `folder`. The name of the one in use is written last, so that a reader never finds half of one. */
export const adapterFolder =
  (host: Host, folder: string, base: BaseModel): AdapterTarget =>
  async (scope, adapter) => {
    const inUse = `${folder}/${scope}.sha`;
    if (adapter === null) return said(await host.remove(inUse));
    const { sha, bytes, manifest } = adapter;
    if (manifest === null) return err('this node knows no round that gave the adapter, and so not what it fits');
    const files = peftFiles(base, bytes, manifest);
    if (!files.ok) return files;
    const written = await writePeft(host, `${folder}/${sha}`, files.value);
    return said(written.ok ? await host.writeFileAtomic(inUse, `${sha}\n`) : written);
  };

const said = (result: Result<void, FileProblem>): Result<void, string> =>
  result.ok ? result : err(`${result.error.path} ${result.error.message}`);
