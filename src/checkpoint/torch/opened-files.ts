/** What the files of `torch.save` in a checkpoint have in common: checksums of their parts, and what a load would import. */
import type { CheckpointFiles } from '../checkpoint-files.ts';
import type { Checkpoint } from '../checkpoint.ts';

/** The entries of every archive that was opened. */
export const checksummedParts = ({ opened }: CheckpointFiles): Checkpoint['checksums'] =>
  [...opened].flatMap(([name, { source, file }]) =>
    file.entries.map((entry) => ({ ...entry, name: `${name}: ${entry.name}`, source })),
  );

/** What PyTorch itself loads without being asked. */
const plain =
  /^(?:torch\.(?:_utils\._rebuild_\w+|_tensor\._rebuild_\w+|\w+Storage|storage\.\w+Storage|Size|device|bfloat16|u?int\d+|float\d+\w*|complex\d+|bool)|collections\.(?:OrderedDict|defaultdict)|(?:__builtin__|builtins)\.(?:set|frozenset|dict|list|int|float))$/u;

/** Everything else that their pickles name, sorted. */
export const refusedBy = ({ opened }: CheckpointFiles): readonly string[] =>
  [
    ...new Set([...opened.values()].flatMap(({ file }) => file.pickle.globals.filter((name) => !plain.test(name)))),
  ].toSorted();
