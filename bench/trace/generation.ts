/** Greedy generation on each engine: microseconds per position, and the last logits, which show that the work was the same. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { bytesToHex } from '@noble/hashes/utils.js';
import { invariant } from '../../src/base/invariant.ts';
import type { Engine } from '../../src/trace/engine/engine.ts';
import { hashLogits } from '../../src/trace/verify/compare-logits.ts';
import { feedPlaces, type Place } from '../../src/trace/verify/feed.ts';
import { least } from './processor-time.ts';

export interface Speed {
  readonly microseconds: number;
  readonly lastLogits: Float32Array;
}

export function speedOf(engine: Engine, positions: number, rounds: number): Speed {
  let lastLogits: Float32Array = new Float32Array();
  const whole = least(rounds, () => {
    let token = 1;
    for (let position = 0; position < positions; position++) {
      lastLogits = engine.forward(token, position);
      token = largest(lastLogits);
    }
  });
  return { microseconds: whole / positions, lastLogits: lastLogits.slice() };
}

/**
 * Microseconds of a position of a replay that hashes all logits, fed with tokens that are known beforehand: in the
 * engine's blocks, and one after the other. Throws unless both have the same hashes.
 */
export function replaySpeed(engine: Engine, positions: number, rounds: number): { blocks: number; single: number } {
  const { config, profile, forward } = engine;
  const places = Array.from({ length: positions }, (_, position): Place => {
    const inputToken = (position * 7919) % config.vocabSize;
    const unread = { outputToken: null, logitsHash: new Uint8Array(32), sketch: null };
    return { position, claimed: null, step: { kind: 'step', position, inputToken, ...unread } };
  });
  const hashes = (one: Engine): string => {
    let all = '';
    for (const { fed } of feedPlaces(one, places, null, () => null)) {
      invariant('logits' in fed, 'every position is fed');
      all += bytesToHex(hashLogits(fed.logits));
    }
    return all;
  };
  const alone = { config, profile, forward };
  invariant(hashes(engine) === hashes(alone), 'blocks have the bits of single positions');
  let [blocks, single] = [Infinity, Infinity];
  // They alternate, so that other work on the machine affects both alike.
  for (let round = 0; round < rounds; round++) {
    blocks = Math.min(blocks, least(1, () => void hashes(engine)) / positions);
    single = Math.min(single, least(1, () => void hashes(alone)) / positions);
  }
  return { blocks, single };
}

function largest(logits: Float32Array): number {
  let id = 0;
  for (let i = 1; i < logits.length; i++) if ((logits[i] ?? 0) > (logits[id] ?? 0)) id = i;
  return id;
}

/** The same in C (peer.c), compiled by gcc with `flags`; null if there is no gcc. */
export function speedInC(
  checkpoint: Uint8Array,
  positions: number,
  rounds: number,
  flags: readonly string[],
): Speed | null {
  if (spawnSync('gcc', ['--version']).status !== 0) return null;
  const folder = mkdtempSync(join(tmpdir(), 'pv-trace-peer-'));
  const file = (name: string): string => join(folder, name);
  const run = (program: string, args: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${program} exited with ${String(status)}: ${stderr}`);
    return stdout;
  };
  try {
    writeFileSync(file('model.bin'), checkpoint);
    run('gcc', [...flags, resolve('bench/trace/peer.c'), '-o', file('peer'), '-lm']);
    const printed = run(file('peer'), [file('model.bin'), `${positions}`, `${rounds}`, file('logits')]);
    return {
      microseconds: Number(printed),
      lastLogits: new Float32Array(new Uint8Array(readFileSync(file('logits'))).buffer),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
