/**
 * A device in small: one memory in which buffers lie side by side and are not cleared, kernels that write as many
 * elements as they compute wherever the buffer ends, one stream that runs behind the host, and copies that read what is
 * there. A mistake in sizes or order therefore does what it does on a GPU: it corrupts a neighbour, or reads too early.
 */
import { invariant } from '../../src/base/invariant.ts';
import { streamFor, unitFloat } from '../../src/numeric/xoshiro.ts';
import type { KernelName, RunKernel } from './kernels.ts';
import { createProfile } from './profile.ts';
import type { Row } from './records.ts';

export interface Buffer {
  readonly name: string;
  readonly offset: number;
  readonly length: number;
}

/** An argument of a kernel: a number, a tensor that begins where the buffer does whatever it holds, or a small constant. */
export type Operand =
  | number
  | { readonly buffer: Buffer; readonly shape: readonly number[] }
  | { readonly constant: Int32Array; readonly shape: readonly number[] };

export interface Launch {
  readonly kernel: KernelName;
  readonly operands: readonly Operand[];
  readonly output: Buffer;
  readonly outputShape: readonly number[];
  /** What the table of buffers says of this launch beside what it writes: its sizes, and the lengths of its operands. */
  readonly sizes?: Row;
}

export interface Device {
  /** Memory with whatever was there before. */
  readonly allocate: (name: string, length: number) => Buffer;
  /** Queues a fill with zeros. */
  readonly clear: (buffer: Buffer) => void;
  readonly upload: (buffer: Buffer, values: ArrayLike<number>) => void;
  /** Queues a kernel; it has run for certain only after `synchronize`. */
  readonly launch: (launch: Launch) => void;
  /** Copies a whole buffer within the device; false, and nothing copied, when the lengths differ. */
  readonly copy: (source: Buffer, target: Buffer) => boolean;
  readonly synchronize: () => void;
  /** Copies to the host what stands in memory now. */
  readonly download: (buffer: Buffer) => Float32Array;
  /** What stands in memory when everything queued has run: sampling for diagnosis, no transfer of the loop. */
  readonly sample: (buffer: Buffer) => Float32Array;
  readonly records: { readonly buffers: ReadonlyMap<string, Row>; readonly copies: ReadonlyMap<string, Row> };
  readonly profile: ReturnType<typeof createProfile>;
}

const CAPACITY = 16_384;
const elements = (shape: readonly number[]): number => shape.reduce((a, b) => a * b, 1);

/** `seed` decides what stands in memory before anything is written. */
export function createDevice(run: RunKernel, seed: number): Device {
  const garbage = streamFor(seed, 'uninitialised memory');
  const memory = Float32Array.from({ length: CAPACITY }, () => (unitFloat(garbage) - 0.5) * 2000);
  const buffers = new Map<string, Row>();
  const copies = new Map<string, Row>();
  const profile = createProfile();
  const pending: (() => void)[] = [];
  let used = 0;

  const read = (buffer: Buffer, length: number): Float32Array => memory.slice(buffer.offset, buffer.offset + length);
  const drain = (): void => {
    for (const work of pending) work();
    pending.length = 0;
  };
  const argument = (one: Operand): number | Float32Array | Int32Array => {
    if (typeof one === 'number') return one;
    return 'constant' in one ? one.constant : read(one.buffer, elements(one.shape));
  };
  const execute = ({ kernel, operands, output, outputShape }: Launch): void => {
    const result = run(kernel, {
      arguments: operands.map(argument),
      shapes: operands.map((one) => (typeof one === 'number' ? [] : one.shape)),
      outputShape,
    });
    memory.set(result, output.offset);
  };

  return {
    records: { buffers, copies },
    profile,
    allocate: (name, length) => {
      const buffer = { name, offset: used, length };
      used += length;
      invariant(used <= CAPACITY, `memory for ${name}`);
      return buffer;
    },
    clear: ({ offset, length }) => {
      pending.push(() => memory.fill(0, offset, offset + length));
    },
    upload: (buffer, values) => {
      drain();
      profile.copy('HtoD', values.length);
      memory.set(values, buffer.offset);
    },
    launch: (launch) => {
      const key = `${launch.kernel} → ${launch.output.name}`;
      const required = elements(launch.outputShape);
      if (!buffers.has(key))
        buffers.set(key, {
          index: buffers.size,
          name: key,
          required,
          allocated: launch.output.length,
          ...launch.sizes,
        });
      profile.kernel(launch.kernel);
      pending.push(() => execute(launch));
    },
    copy: (source, target) => {
      const name = `${source.name} → ${target.name}`;
      const key = `${name} ${source.length}`;
      if (!copies.has(key))
        copies.set(key, { index: copies.size, name, src_len: source.length, dst_len: target.length });
      if (source.length !== target.length) return false;
      pending.push(() => memory.set(read(source, source.length), target.offset));
      return true;
    },
    synchronize: () => {
      profile.synchronize();
      drain();
    },
    download: (buffer) => {
      profile.copy('DtoH', buffer.length);
      return read(buffer, buffer.length);
    },
    sample: (buffer) => {
      drain();
      return read(buffer, buffer.length);
    },
  };
}
