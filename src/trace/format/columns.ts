/**
 * The entries of a block as columns, without what follows from the entries before: positions, and the input of a step
 * that follows another.
 *
 *     gaps        for each: entries since the gap before it, positions that it covers
 *     inputs      of each step that does not follow a step
 *     outputs     of each step: token + 1, or 0 where none was recorded
 *     sketches    only where the manifest has them: k ids of each step, then k float32 logits of each, then log-sum-exps
 *
 * All but the float32 numbers are varints. Hashes, which do not compress, follow the block's columns.
 */
import { ok, type Result } from '../../base/result.ts';
import { hashBytes } from '../../merkle/hash.ts';
import { wrong, type Problem } from '../../base/problem.ts';
import { positionsOf } from './entry.ts';
import { noToken } from './limits.ts';
import { impliedInput, type Progress } from './sequence.ts';
import type { Entry, Sketch } from './trace.ts';
import { pushVarint, readVarint, type Cursor } from './varint.ts';

/** What a block's frame says about its columns. */
export interface BlockShape {
  readonly steps: number;
  readonly gaps: number;
  /** Logits kept with each step. */
  readonly sketch: number;
}

/** The minimum and maximum size of the columns of this many entries. */
export function columnBytesLimits({ steps, gaps, sketch }: BlockShape): {
  readonly least: number;
  readonly most: number;
} {
  const sketchBytes = (id: number): number => (sketch === 0 ? 0 : (id + 4) * sketch + 4);
  return {
    least: 2 * gaps + steps * (1 + sketchBytes(1)),
    most: 10 * gaps + steps * (10 + sketchBytes(5)),
  };
}

/** The columns of `entries`, which may follow a step; their hashes are left out. */
export function packColumns(entries: readonly Entry[], behindStep: boolean): Uint8Array {
  const numbers: number[] = [];
  let since = 0;
  for (const entry of entries) {
    since += 1;
    if (entry.kind === 'step') continue;
    pushVarint(numbers, since - 1);
    pushVarint(numbers, entry.count);
    since = 0;
  }
  let isImplied = behindStep;
  for (const entry of entries) {
    if (entry.kind === 'step' && !isImplied) pushVarint(numbers, entry.inputToken);
    isImplied = entry.kind === 'step';
  }
  const steps = entries.filter((entry) => entry.kind === 'step');
  for (const { outputToken } of steps) pushVarint(numbers, outputToken === null ? 0 : outputToken + 1);
  const sketches = steps.flatMap((step) => (step.sketch === null ? [] : [step.sketch]));
  for (const { ids } of sketches) for (const id of ids) pushVarint(numbers, id);
  const floats = [...sketches.flatMap(({ logits }) => logits), ...sketches.map(({ logSumExp }) => logSumExp)];
  const bytes = new Uint8Array(numbers.length + 4 * floats.length);
  bytes.set(numbers);
  const view = new DataView(bytes.buffer, numbers.length);
  for (const [i, value] of floats.entries()) view.setFloat32(4 * i, value, true);
  return bytes;
}

/** The hash column of `entries`: 32 bytes for each step. */
export function hashColumn(entries: readonly Entry[]): Uint8Array {
  const steps = entries.filter((entry) => entry.kind === 'step');
  const bytes = new Uint8Array(steps.length * hashBytes);
  for (const [i, { logitsHash }] of steps.entries()) bytes.set(logitsHash, i * hashBytes);
  return bytes;
}

/**
 * The entries encoded in `columns` and `hashes`, continuing from `progress`; only their form is checked here.
 *
 * Fewer hashes than steps, as in a file that ends within them, give the entries before the first step without one.
 */
export function unpackColumns(
  columns: Uint8Array,
  hashes: Uint8Array,
  shape: BlockShape,
  progress: Progress,
): Result<readonly Entry[], Problem> {
  const limits = columnBytesLimits(shape);
  if (columns.length < limits.least || columns.length > limits.most) {
    return damaged('have a length that their entries cannot have', `${limits.least} to ${limits.most}`, columns.length);
  }
  const reader = createReader(columns);
  const gapList = readGaps(reader, shape);
  if (gapList === null)
    return damaged('place a gap after their last entry', `below ${shape.steps + shape.gaps}`, 'more');
  const hashCount = Math.floor(hashes.length / hashBytes);
  const kinds = Array.from({ length: shape.steps + shape.gaps }, (_, i) => gapList.get(i) ?? null);
  const inputs = kinds.map((gap, i) => {
    const behindStep = i === 0 ? progress.last?.kind === 'step' : kinds[i - 1] === null;
    return gap === null && !behindStep ? reader.number() : null;
  });
  const outputs = kinds.map((gap) => (gap === null ? reader.number() : 0));
  const sketches = readSketches(reader, shape);
  if (reader.failed || reader.left > 0) return damaged('do not end with their last number', '0', reader.left);

  const entries: Entry[] = [];
  let steps = 0;
  let { position } = progress;
  let implied = impliedInput(progress);
  for (const [i, count] of kinds.entries()) {
    if (count === null && steps === hashCount) break;
    const inputToken = inputs[i] ?? implied;
    if (count === null && inputToken === null) {
      return wrong(
        'PV-8040',
        'output token',
        'A step follows one whose output token, its own input, is not recorded.',
        {
          position,
        },
      );
    }
    const entry: Entry =
      count === null
        ? {
            kind: 'step',
            position,
            inputToken: inputToken ?? noToken,
            outputToken: outputs[i] === 0 ? null : (outputs[i] ?? 0) - 1,
            logitsHash: hashes.slice(steps * hashBytes, ++steps * hashBytes),
            sketch: sketches[steps - 1] ?? null,
          }
        : { kind: 'gap', position, count };
    entries.push(entry);
    position += positionsOf(entry);
    implied = entry.kind === 'step' ? entry.outputToken : null;
  }
  return ok(entries);
}

/** Numbers one after the other; one failure, and everything after it is 0. */
interface Reader {
  readonly number: () => number;
  readonly float32: () => number;
  readonly failed: boolean;
  readonly left: number;
}

function createReader(bytes: Uint8Array): Reader {
  const cursor: Cursor = { bytes, at: 0 };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let failed = false;
  const fail = (): number => {
    failed = true;
    cursor.at = bytes.length;
    return 0;
  };
  return {
    number() {
      const value = readVarint(cursor);
      return typeof value === 'number' ? value : fail();
    },
    float32() {
      if (cursor.at + 4 > bytes.length) return fail();
      cursor.at += 4;
      return view.getFloat32(cursor.at - 4, true);
    },
    get failed() {
      return failed;
    },
    get left() {
      return bytes.length - cursor.at;
    },
  };
}

/** Positions covered, by the place of the gap in the block; null if one lies after the end of the block. */
function readGaps(reader: Reader, { steps, gaps }: BlockShape): ReadonlyMap<number, number> | null {
  const found = new Map<number, number>();
  let index = -1;
  for (let i = 0; i < gaps; i++) {
    index += reader.number() + 1;
    found.set(index, reader.number());
  }
  return index < steps + gaps ? found : null;
}

function readSketches(reader: Reader, { steps, sketch }: BlockShape): readonly Sketch[] {
  if (sketch === 0) return [];
  const table = (read: () => number): readonly (readonly number[])[] =>
    Array.from({ length: steps }, () => Array.from({ length: sketch }, read));
  const ids = table(() => reader.number());
  const logits = table(() => reader.float32());
  return ids.map((row, i) => ({ ids: row, logits: logits[i] ?? [], logSumExp: reader.float32() }));
}

function damaged(how: string, expected: string, actual: number | string): Result<never, Problem> {
  return wrong('PV-8036', 'columns', `The columns of a block ${how}.`, { expected, actual: String(actual) });
}
