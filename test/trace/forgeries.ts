/** Files that somebody who knows the formats makes out of real ones: parts moved, spliced and edited, and every checksum made anew. */
import { concatBytes } from '@noble/hashes/utils.js';
import { streamFor, uniformInteger, type Xoshiro } from '../../src/numeric/xoshiro.ts';
import { checksumBytes, checksumOf, frameTags, magic, type Checksum } from '../../src/trace/format/frame.ts';
import { readFrame, readHeader } from '../../src/trace/format/read-frame.ts';
import { pushVarint, readVarint } from '../../src/trace/format/varint.ts';

export type Draw = (low: number, high: number) => number;

/** `PV_FUZZ_SEED` chooses other forgeries than the usual ones. */
export function drawFor(name: string): Draw {
  const stream: Xoshiro = streamFor(Number(process.env['PV_FUZZ_SEED'] ?? 1), `forgeries of ${name}`);
  return (low, high) => uniformInteger(stream, low, high);
}

/** One of the list, undefined where it is empty. */
export const oneOf = <T>(draw: Draw, list: readonly T[]): T | undefined =>
  list.length === 0 ? undefined : list[draw(0, list.length - 1)];

/** A number that readers stumble over. */
const oddNumbers = [0, 1, 2, 127, 128, 1024, 1025, 2 ** 16, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 2, 2 ** 32 - 1];

/** The parts of a v2 file without their checks: the header, blocks, and the footer where there is one. */
export function partsOf(file: Uint8Array): readonly Uint8Array[] {
  const header = readHeader(file);
  if (!header.ok || header.value.kind === 'cut') throw new Error('the original is a trace');
  const { manifest } = header.value;
  let { checksum, end } = header.value;
  const parts = [file.slice(0, end - checksumBytes)];
  while (end < file.length) {
    const frame = readFrame(file, end, checksum, manifest);
    if (!frame.ok || frame.value.kind === 'cut' || frame.value.checksum === null)
      throw new Error('the original is whole');
    parts.push(file.slice(end, frame.value.end - checksumBytes));
    end = frame.value.end;
    checksum = frame.value.kind === 'block' ? (frame.value.checksum ?? checksum) : checksum;
  }
  return parts;
}

/** A file of these parts, each with the checksum that belongs to it there. */
export function sealed(parts: readonly Uint8Array[]): Uint8Array {
  let checksum: Checksum = new Uint8Array(0);
  const pieces: Uint8Array[] = [];
  for (const part of parts) {
    checksum = checksumOf(checksum, part);
    pieces.push(part, checksum);
  }
  return concatBytes(...pieces);
}

/** A forgery of the parts of one of `files`. */
export function forgedParts(draw: Draw, files: readonly (readonly Uint8Array[])[]): readonly Uint8Array[] {
  let parts = [...(oneOf(draw, files) ?? [])];
  for (let edits = draw(1, 3); edits > 0; edits--) parts = editedParts(draw, parts, oneOf(draw, files) ?? []);
  return parts;
}

function editedParts(draw: Draw, parts: readonly Uint8Array[], other: readonly Uint8Array[]): Uint8Array[] {
  if (parts.length === 0) return [...other];
  const [at, to] = [draw(0, parts.length - 1), draw(0, parts.length - 1)];
  const part = parts[at] ?? new Uint8Array(0);
  const put = (...middle: readonly Uint8Array[]): Uint8Array[] => [
    ...parts.slice(0, at),
    ...middle,
    ...parts.slice(at + 1),
  ];
  switch (draw(0, 8)) {
    case 0: // twice
      return put(part, part);
    case 1: // lost
      return put();
    case 2: // in another place
      return parts.map((one, i) => (i === at ? (parts[to] ?? one) : i === to ? part : one));
    case 3: // the end of another file
      return [...parts.slice(0, at), ...other.slice(Math.min(at, other.length))];
    case 4: // a part of another file
      return put(part, oneOf(draw, other) ?? part);
    case 5:
      return put(at === 0 ? editedManifest(draw, part) : withNumber(draw, part));
    case 6: // a byte
      return put(part.map((byte, i) => (i === to % part.length || i === draw(0, part.length) ? draw(0, 255) : byte)));
    case 7: // cut, or longer
      return put(
        draw(0, 1) === 0 ? part.slice(0, draw(0, part.length)) : concatBytes(part, part.slice(0, draw(0, 40))),
      );
    default:
      return put(withNumber(draw, part));
  }
}

/** The part with another of the numbers of its head. */
function withNumber(draw: Draw, part: Uint8Array): Uint8Array {
  const cursor = { bytes: part, at: 1 };
  for (let before = draw(0, part[0] === frameTags.packed ? 3 : 2); before > 0; before--) readVarint(cursor);
  const start = cursor.at;
  const now = readVarint(cursor);
  if (typeof now !== 'number') return part;
  const number = draw(0, 1) === 0 ? (oneOf(draw, oddNumbers) ?? 0) : Math.max(0, now + draw(-2, 2));
  const bytes: number[] = [];
  pushVarint(bytes, number);
  return concatBytes(part.slice(0, start), Uint8Array.from(bytes), part.slice(cursor.at));
}

/** The header with another manifest, and the length that belongs to it. */
function editedManifest(draw: Draw, header: Uint8Array): Uint8Array {
  const cursor = { bytes: header, at: magic.length + 1 };
  if (typeof readVarint(cursor) !== 'number') return header;
  const json = new TextEncoder().encode(editedJson(draw, new TextDecoder().decode(header.subarray(cursor.at))));
  const head = [...header.subarray(0, magic.length + 1)];
  pushVarint(head, json.length);
  return concatBytes(Uint8Array.from(head), json);
}

const odd = [
  '-0',
  '1e400',
  '0.5',
  '-1',
  '4294967295',
  '9007199254740993',
  'null',
  'true',
  '""',
  '[]',
  '{}',
  '"\\u202e\\u001b[2J"',
  '"__proto__"',
  '"\\ud800"',
];
const keys = ['__proto__', 'constructor', 'toString', 'position', 'kind', '\\u001b'];

/** A JSON text with a value, a key or a piece changed; often still JSON. */
export function editedJson(draw: Draw, json: string): string {
  const values = [...json.matchAll(/"(?:[^"\\]|\\.)*"(?!:)|-?[0-9][0-9.e+-]*|true|false|null/g)];
  const found = [...json.matchAll(/"[A-Za-z]+":/g)];
  const place = draw(0, 1) === 0 ? oneOf(draw, values) : oneOf(draw, found);
  if (place === undefined) return json;
  const [start, end] = [place.index, place.index + place[0].length];
  const piece = json.slice(start, end);
  const replaced = (text: string): string => json.slice(0, start) + text + json.slice(end);
  if (piece.endsWith(':')) {
    switch (draw(0, 3)) {
      case 0:
        return replaced(`"${oneOf(draw, keys) ?? ''}":`);
      case 1: // twice
        return replaced(`${piece}1,${piece}`);
      case 2:
        return replaced(`"${oneOf(draw, keys) ?? ''}":${oneOf(draw, odd) ?? ''},${piece}`);
      default:
        return replaced(` ${piece} `);
    }
  }
  const other = oneOf(draw, values)?.[0] ?? piece;
  return replaced(oneOf(draw, [other, oneOf(draw, odd) ?? '0', `${piece}0`, `${piece},${piece}`, '']) ?? '');
}

/** A text with lines moved, doubled, lost, cut or taken from another. */
export function forgedLines(draw: Draw, texts: readonly string[]): string {
  const lines = (oneOf(draw, texts) ?? '').split('\n');
  const others = (oneOf(draw, texts) ?? '').split('\n');
  for (let edits = draw(1, 3); edits > 0; edits--) {
    const [at, to] = [draw(0, lines.length - 1), draw(0, lines.length - 1)];
    const line = lines[at] ?? '';
    switch (draw(0, 7)) {
      case 0:
        lines.splice(to, 0, line);
        break;
      case 1:
        lines.splice(at, 1);
        break;
      case 2:
        [lines[at], lines[to]] = [lines[to] ?? '', line];
        break;
      case 3:
        lines[at] = oneOf(draw, others) ?? '';
        break;
      case 4:
        lines.splice(at, Infinity, ...others.slice(at));
        break;
      case 5:
        lines[at] = line.replace(/[0-9]+/, () => String(oneOf(draw, oddNumbers)));
        break;
      case 6:
        lines[at] =
          line.slice(0, draw(0, line.length)) +
          (oneOf(draw, ['', ' ', '\t', '\u0000', '\u202e', '=', '\r']) ?? '') +
          line.slice(draw(0, line.length));
        break;
      default:
        lines[at] = [...line].toSorted(() => draw(-1, 1)).join('');
    }
  }
  return lines.join('\n');
}
