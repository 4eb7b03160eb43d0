/** Folders of torch.distributed.checkpoint, for tests: one rank, and every tensor in one piece. */
import { concatBytes } from '@noble/hashes/utils.js';
import { pickled, torchFile, type Python } from './torch-file.ts';

const made = (name: string, state: Readonly<Record<string, Python>>): Python => ({
  made: `torch.distributed.checkpoint.${name}`,
  state: new Map(Object.entries(state)),
});

/** The files of a folder with these values at these paths of keys. */
export function distributedFolder(
  values: readonly (readonly [path: readonly (string | number)[], value: Python])[],
): ReadonlyMap<string, Uint8Array> {
  const [described, planned, stored] = [
    new Map<Python, Python>(),
    new Map<Python, Python>(),
    new Map<Python, Python>(),
  ];
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const [path, value] of values) {
    const fqn = path.join('.');
    const part = torchFile(value);
    const shape = typeof value === 'object' && value !== null && 'shape' in value ? value.shape : null;
    const offset = shape && shape.map(() => 0);
    described.set(
      fqn,
      shape === null || offset === null
        ? made('metadata.BytesStorageMetadata', {})
        : made('metadata.TensorStorageMetadata', {
            properties: {
              made: 'torch.distributed.checkpoint.metadata.TensorProperties',
              state: [{ global: 'torch.float32' }],
            },
            size: shape,
            chunks: [made('metadata.ChunkStorageMetadata', { offsets: offset, sizes: shape })],
          }),
    );
    planned.set(fqn, path);
    stored.set(
      made('metadata.MetadataIndex', { fqn, offset, index: null }),
      made('filesystem._StorageInfo', { relative_path: '__0_0.distcp', offset: at, length: part.length }),
    );
    parts.push(part);
    at += part.length;
  }
  const metadata = made('metadata.Metadata', {
    state_dict_metadata: described,
    planner_data: planned,
    storage_data: stored,
  });
  return new Map([
    ['.metadata', pickled(metadata)],
    ['__0_0.distcp', concatBytes(...parts)],
  ]);
}
