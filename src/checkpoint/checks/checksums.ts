/** The bytes of every archive entry have the checksum that was written with them. */
import { ok } from '../../base/result.ts';
import { contentsOf } from '../contents.ts';
import { critical, notChecked, pass, type Check } from './check.ts';

const name = 'checksums';

export const checksums: Check = async (checkpoint) => {
  const parts = checkpoint.checksums;
  if (parts.length === 0) return ok(notChecked(name, 'no file of this checkpoint has checksums'));
  const contents = await contentsOf(checkpoint);
  if (!contents.ok) return contents;
  for (const [i, { name: part, crc32: expected }] of parts.entries()) {
    const actual = contents.value.checksums[i];
    if (actual === undefined || actual === expected) continue;
    return ok(
      critical(name, {
        expected: `${part} with CRC-32 ${hexadecimal(expected)}`,
        actual: hexadecimal(actual),
        why: 'the file is damaged, or PyTorch was told to write no checksums (set_crc32_options)',
        fix: 'Copy the checkpoint again, or resume from an earlier one.',
      }),
    );
  }
  return ok(pass(name, { actual: `${parts.length} parts of files of torch.save; safetensors has no checksums` }));
};

const hexadecimal = (value: number): string => value.toString(16).padStart(8, '0');
