/** The bytes of every archive entry have the checksum that was written with them. */
import { crc32 } from 'node:zlib';
import { ok } from '../../base/result.ts';
import { critical, notChecked, pass, type Check } from './check.ts';

const name = 'checksums';

const pieceBytes = 4 * 1024 ** 2;

export const checksums: Check = async ({ checksums: parts }) => {
  if (parts.length === 0) return ok(notChecked(name, 'no file of this checkpoint has checksums'));
  for (const { name: part, source, offset, size, crc32: expected } of parts) {
    let actual = 0;
    for (let at = 0; at < size; at += pieceBytes) {
      const piece = await source.read(offset + at, Math.min(pieceBytes, size - at));
      if (!piece.ok) return piece;
      actual = crc32(piece.value, actual);
    }
    if (actual === expected) continue;
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
