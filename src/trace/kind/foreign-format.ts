/** Formats of others, by the bytes that their files start with. */

/** `bytes` in hexadecimal at `offset`, 0 when absent; the first that fits counts. */
interface Mark {
  readonly name: string;
  readonly bytes: string;
  readonly offset?: number;
}

const marks: readonly Mark[] = [
  { name: 'a PNG image', bytes: '89504e47' },
  { name: 'a JPEG image', bytes: 'ffd8ff' },
  { name: 'a GIF image', bytes: '47494638' },
  { name: 'a WebP, WAV or AVI file', bytes: '52494646' },
  { name: 'a ZIP archive, as PyTorch checkpoints and office documents are', bytes: '504b0304' },
  { name: 'an empty ZIP archive', bytes: '504b0506' },
  { name: 'a gzip archive: gunzip unpacks it', bytes: '1f8b08' },
  { name: 'a Zstandard archive: unzstd unpacks it', bytes: '28b52ffd' },
  { name: 'an xz archive: unxz unpacks it', bytes: 'fd377a585a00' },
  { name: 'a bzip2 archive: bunzip2 unpacks it', bytes: '425a68' },
  { name: 'a 7z archive', bytes: '377abcaf271c' },
  { name: 'a tar archive', bytes: '7573746172', offset: 257 },
  { name: 'a GGUF model, as llama.cpp reads it', bytes: '47475546' },
  { name: 'a GGML model, as old llama.cpp reads it', bytes: '6c6d6767' },
  { name: 'a llama2.c model of a later version (ak42), which is not read here', bytes: '32346b61' },
  { name: 'a NumPy array', bytes: '934e554d5059' },
  { name: 'an HDF5 file', bytes: '89484446' },
  { name: 'a WebAssembly module', bytes: '0061736d' },
  { name: 'an SQLite database', bytes: '53514c69746520666f726d6174' },
  { name: 'a program (ELF)', bytes: '7f454c46' },
  { name: 'a UTF-16 text, as Windows PowerShell writes what > is given: use -Encoding utf8, or --out', bytes: 'fffe' },
  { name: 'a UTF-16 text', bytes: 'feff' },
];

const pdf: Mark = { name: 'a PDF', bytes: '255044462d' };

/** The name of the format, null for an unknown format. */
export function foreignFormat(bytes: Uint8Array): string | null {
  if (startsWith(bytes, pdf)) return pdf.name;
  // Origins and names of keys may start with the letters of a mark, and hold no such byte.
  const hasOddByte = bytes.subarray(0, 32).some((byte) => byte < 9 || byte > 126);
  const found = hasOddByte ? marks.find((mark) => startsWith(bytes, mark)) : undefined;
  if (found !== undefined) return found.name;
  if (isSafetensors(bytes)) return 'a safetensors file: export.py of llama2.c makes a model of it';
  return isPickle(bytes) ? 'a Python pickle, as old PyTorch checkpoints are' : null;
}

function startsWith(bytes: Uint8Array, { bytes: hex, offset = 0 }: Mark): boolean {
  for (let i = 0; 2 * i < hex.length; i++) {
    if (bytes[offset + i] !== Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16)) return false;
  }
  return true;
}

/** The length of a JSON header in eight bytes, and the header. */
const isSafetensors = (bytes: Uint8Array): boolean => bytes[7] === 0 && bytes[8] === 0x7b && bytes[9] === 0x22;

/** PROTO of a version from 2 to 5, another instruction, and the end of a pickle. */
function isPickle(bytes: Uint8Array): boolean {
  const [first, version = 0, next = 0] = bytes;
  return first === 0x80 && version >= 2 && version <= 5 && next !== 0 && bytes.at(-1) === 0x2e;
}
