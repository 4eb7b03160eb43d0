/** Every file has the hash that is kept with the checkpoint, and every archive entry the checksum that was written with it. */
import { ok } from '../../base/result.ts';
import { count, listOf } from '../../base/text.ts';
import type { Checkpoint } from '../checkpoint.ts';
import { contentsOf, type Contents } from '../contents.ts';
import { critical, notChecked, pass, warn, type Check, type Finding } from './check.ts';

const name = 'checksums';

export const checksums: Check = async (checkpoint) => {
  const { checksums: parts, hashes } = checkpoint;
  if (parts.length === 0 && hashes === undefined)
    return ok(notChecked(name, 'no file of this checkpoint has a checksum; pv checkpoint seal records hashes'));
  const contents = await contentsOf(checkpoint);
  return contents.ok ? ok(hashFault(checkpoint, contents.value) ?? judge(checkpoint, contents.value)) : contents;
};

const copyAgain = 'Copy the checkpoint again, or resume from an earlier one.';

/** A file that is not as it was hashed; null if there is none. */
function hashFault({ hashes }: Checkpoint, contents: Contents): Finding | null {
  if (hashes === undefined) return null;
  const { by, files, missing } = hashes;
  if (missing.length > 0)
    return critical(name, {
      expected: `every file that ${by} lists`,
      actual: listOf(missing, 5),
      why: 'the checkpoint was copied in part, or changed',
      fix: copyAgain,
    });
  for (const [i, { name: file, bytes, sha256, source }] of files.entries()) {
    const actual = contents.hashes[i] ?? null;
    if (actual === sha256) continue;
    return critical(name, {
      expected: actual === null ? `${file} with ${count(bytes, 'byte')}` : `${file} with SHA-256 ${sha256}`,
      actual: actual ?? count(source.size, 'byte'),
      why: `the file is not as ${by} has it: it is damaged, or was changed`,
      fix: copyAgain,
    });
  }
  return null;
}

function judge({ checksums: parts, hashes }: Checkpoint, contents: Contents): Finding {
  for (const [i, { name: part, crc32: expected }] of parts.entries()) {
    const actual = contents.checksums[i];
    if (actual === undefined || actual === expected) continue;
    return critical(name, {
      expected: `${part} with CRC-32 ${hexadecimal(expected)}`,
      actual: hexadecimal(actual),
      why: 'the file is damaged, or PyTorch was told to write no checksums (set_crc32_options)',
      fix: copyAgain,
    });
  }
  if (hashes === undefined)
    return pass(name, { actual: `${parts.length} parts of files of torch.save; safetensors has no checksums` });
  const actual = `${count(hashes.files.length, 'file')} as ${hashes.by} has them (SHA-256)`;
  return hashes.unlisted.length === 0
    ? pass(name, { actual })
    : warn(name, {
        expected: `no file that ${hashes.by} does not list`,
        actual: listOf(hashes.unlisted, 5),
        why: 'these files were added or are not part of what was hashed: nothing vouches for their bytes',
        fix: 'Remove them, or seal the checkpoint again if they belong to it.',
      });
}

const hexadecimal = (value: number): string => value.toString(16).padStart(8, '0');
