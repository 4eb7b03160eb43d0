/** The kind of a text: pv's own by its lines, JSON by its `format`. */
import type { FileKind } from './kind.ts';

/** Enough for what distinguishes texts; a longer JSON is left to its reader. */
const looked = 1024 ** 2;

/** Null if `bytes` are not text. Line ends and a byte order mark are looked past, since editors change them. */
export function textKind(bytes: Uint8Array): FileKind {
  const start = bytes.subarray(0, looked);
  if (!isText(start.subarray(0, 1024))) return null;
  const text = new TextDecoder().decode(start).replaceAll('\r\n', '\n');
  const trimmed = text.trimStart();
  if (trimmed.startsWith('{') || trimmed.startsWith('[')) return jsonKind(text, bytes.length > looked);
  if (trimmed.startsWith('c2sp.org/')) return { role: 'proof' };
  if (trimmed.startsWith('PRIVATE+KEY+')) return { role: 'signer key' };
  if (/^[^\s+]+\+[0-9a-f]{8}\+[A-Za-z0-9+/=]+\s*$/i.test(trimmed)) return { role: 'verifier key' };
  // Origin, size, root.
  if (/^[^\n]+\n\d+\n[A-Za-z0-9+/]{43}=(?:\n|$)/.test(trimmed)) return { role: 'checkpoint' };
  if (/^<(?:!doctype|html)/i.test(trimmed)) return { name: 'an HTML page, as a download that failed gives' };
  if (trimmed.startsWith('version https://git-lfs.'))
    return { name: 'a pointer of Git LFS: git lfs pull fetches the file' };
  return 'text';
}

/**
 * Control characters and bytes beyond ASCII are few in what people and keys write; a byte that is damaged is one of
 * few.
 */
function isText(bytes: Uint8Array): boolean {
  if (bytes.subarray(0, 3).every((byte, i) => byte === [0xef, 0xbb, 0xbf][i]) && bytes.length >= 3) return true;
  const odd = bytes.filter((byte) => byte < 9 || (byte > 13 && byte < 32) || byte > 126).length;
  if (10 * odd <= bytes.length) return true;
  // Texts of other scripts: valid UTF-8 up to the character that the end cuts, without NUL.
  return !bytes.includes(0) && !new TextDecoder().decode(bytes).slice(0, -1).includes('\uFFFD');
}

const formats: Readonly<Record<string, FileKind>> = {
  'pv-trace-consistency/1': { role: 'consistency' },
  'pv-trace-verdict/1': { name: 'a verdict, as --json prints it' },
  'pv-trace-show/1': { name: 'what pv trace show --json prints; pv trace convert --to json writes a trace' },
};

function jsonKind(text: string, isLonger: boolean): FileKind {
  const trace: FileKind = { role: 'trace' };
  // A trace that was cut or damaged is for its reader, and so is one that is too long to be looked at.
  if (isLonger) return trace;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    if (text.includes('"pv-trace-consistency/')) return { role: 'consistency' };
    return /"logitsHash"|"manifest"|"pv-trace/.test(text) ? trace : 'json';
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    return { name: 'JSON that is of no kind known here' };
  const { format } = json as { readonly format?: unknown };
  if (typeof format === 'string' && Object.hasOwn(formats, format)) return formats[format] ?? null;
  const ours = 'manifest' in json || (typeof format === 'string' && format.startsWith('pv-trace-json/'));
  return ours ? trace : { name: 'JSON that is of no kind known here' };
}
