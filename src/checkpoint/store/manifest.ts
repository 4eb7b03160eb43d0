/** `manifest.json`: the files of a checkpoint with their sizes and digests, written after all of them. */
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { canonicalJson, type JsonObject } from '../../base/canonical-json.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { parseStrictJson } from '../../base/strict-json.ts';
import { decodeUtf8 } from '../../base/utf8.ts';
import { count, list, matching, oneOf, record, type Decoder } from '../../evidence/decoder.ts';
import { sha256 } from '../../merkle/sha256.ts';
import { fileNames, type FileName } from './layout.ts';

const manifestFormat = 'pv-checkpoint/1';

/** A file as it was written. */
export interface ListedFile {
  readonly name: FileName;
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

/** What a manifest says. */
export interface Manifest {
  /** Grows with each checkpoint of a folder, whatever its step. */
  readonly sequence: number;
  /** The token of the writer's lock. */
  readonly token: number;
  readonly step: number;
  readonly files: readonly ListedFile[];
}

interface ManifestFile extends Manifest {
  readonly format: typeof manifestFormat;
  /** Of the canonical JSON of everything else. */
  readonly sha256: string;
}

const digest = matching(/^[0-9a-f]{64}$/, 'a SHA-256 digest in lower-case hexadecimal');

const manifestFile: Decoder<ManifestFile> = record<ManifestFile>({
  format: oneOf(manifestFormat),
  sequence: count,
  token: count,
  step: count,
  files: list(record<ListedFile>({ name: oneOf(...fileNames), bytes: count, sha256: digest }), fileNames.length),
  sha256: digest,
});

const digestOf = (json: JsonObject): string => bytesToHex(sha256(utf8ToBytes(canonicalJson(json))));

/** The bytes of a manifest. */
export function writeManifest({ sequence, token, step, files }: Manifest): Uint8Array {
  const json = { format: manifestFormat, sequence, token, step, files: files.map((file) => ({ ...file })) };
  return utf8ToBytes(canonicalJson({ ...json, sha256: digestOf(json) }));
}

/** Reads a manifest, and checks the digest that it has of itself; an error says what is wrong. */
export function readManifest(bytes: Uint8Array): Result<Manifest, string> {
  const content = decodeUtf8(bytes);
  if (content === null) return err('manifest.json is not UTF-8');
  const parsed = parseStrictJson(content, 'manifest.json');
  if (!parsed.ok) return parsed;
  const decoded = manifestFile(parsed.value, 'manifest.json');
  if (!decoded.ok) return decoded;
  const { sha256: stated, files, ...rest } = decoded.value;
  if (digestOf({ ...rest, files: files.map((file) => ({ ...file })) }) !== stated)
    return err('manifest.json does not match the digest of itself at its end');
  const names = files.map(({ name }) => name);
  if (new Set(names).size < names.length) return err('manifest.json lists a file twice');
  if (!names.includes('state.json') || !names.includes('weights.safetensors'))
    return err('manifest.json does not list state.json and weights.safetensors');
  const { format: _, ...manifest } = rest;
  return ok({ ...manifest, files });
}
