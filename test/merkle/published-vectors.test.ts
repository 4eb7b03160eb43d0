/** Vectors of others, where they are there: ../shared/data/merkle/README.md. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { leafHash } from '../../src/merkle/hash.ts';
import {
  verifyConsistency,
  verifyInclusion,
  verifySubtreeConsistency,
  verifySubtreeInclusion,
} from '../../src/merkle/verify.ts';

const data = '../shared/data/merkle/';
const present = existsSync(data);

test.each(present ? [] : ['shared data absent: no published Merkle proof was checked'])('%s', () => {
  expect(existsSync(data)).toBe(false);
});

/** The files of one kind of transparency-dev/merkle (testdata/), below `folder`. */
function cases(kind: string): readonly string[] {
  const folder = `${data}/transparency-dev-testdata/${kind}`;
  if (!present) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
}

interface Vector {
  readonly wantErr: boolean;
  readonly proof: readonly string[] | null;
  readonly [field: string]: unknown;
}

const read = (path: string): Vector => JSON.parse(readFileSync(`${data}/${path}`, 'utf8')) as Vector;
const bytes = (text: unknown): Uint8Array => new Uint8Array(Buffer.from(String(text), 'base64'));
const pathOf = (vector: Vector): readonly Uint8Array[] => (vector.proof ?? []).map(bytes);

/** How many vectors of a kind are accepted and refused, each as its file asks. */
function judged(kind: string, verify: (vector: Vector) => { readonly ok: boolean }): { held: number; refused: number } {
  const count = { held: 0, refused: 0 };
  for (const name of cases(kind)) {
    const vector = read(`transparency-dev-testdata/${kind}/${name}`);
    expect(verify(vector).ok, `${kind}/${name}`).toBe(!vector.wantErr);
    count[vector.wantErr ? 'refused' : 'held']++;
  }
  return count;
}

describe.runIf(present)('transparency-dev/merkle', () => {
  test('inclusion', () => {
    const count = judged('inclusion', (vector) =>
      verifyInclusion({
        index: Number(vector['leafIdx']),
        size: Number(vector['treeSize']),
        leafHash: bytes(vector['leafHash']),
        path: pathOf(vector),
        root: bytes(vector['root']),
      }),
    );
    expect(count.held).toBeGreaterThan(0);
    expect(count.refused).toBeGreaterThan(40);
  });

  test('consistency', () => {
    const count = judged('consistency', (vector) =>
      verifyConsistency({
        size1: Number(vector['size1']),
        size2: Number(vector['size2']),
        root1: bytes(vector['root1']),
        root2: bytes(vector['root2']),
        path: pathOf(vector),
      }),
    );
    expect(count.held).toBeGreaterThan(0);
    expect(count.refused).toBeGreaterThan(40);
  });

  test('inclusion in a subtree', () => {
    const count = judged('subtreeinclusion', (vector) =>
      verifySubtreeInclusion({
        index: Number(vector['leafIdx']),
        start: Number(vector['start']),
        end: Number(vector['end']),
        leafHash: bytes(vector['leafHash']),
        path: pathOf(vector),
        root: bytes(vector['root']),
      }),
    );
    expect(count.held).toBeGreaterThan(0);
    expect(count.refused).toBeGreaterThan(80);
  });

  test('consistency of a subtree', () => {
    const count = judged('subtreeconsistency', (vector) =>
      verifySubtreeConsistency({
        start: Number(vector['start']),
        end: Number(vector['end']),
        size: Number(vector['size']),
        root1: bytes(vector['root1']),
        root2: bytes(vector['root2']),
        path: pathOf(vector),
      }),
    );
    expect(count.held).toBeGreaterThan(0);
    expect(count.refused).toBeGreaterThan(50);
  });
});

test.runIf(present)('an entry of the public Rekor log, 21,476,367 leaves deep, and not its neighbour', () => {
  const entry = read('rekor-inclusion-25591465.json');
  const hex = (text: unknown): Uint8Array => new Uint8Array(Buffer.from(String(text), 'hex'));
  const proof = {
    index: Number(entry['logIndex']),
    size: Number(entry['treeSize']),
    leafHash: leafHash(bytes(entry['canonicalizedBody_base64'])),
    path: (entry['hashes'] as readonly string[]).map(hex),
    root: hex(entry['rootHash']),
  };
  expect(verifyInclusion(proof).ok).toBe(true);
  expect(verifyInclusion({ ...proof, index: proof.index + 1 }).ok).toBe(false);
});
