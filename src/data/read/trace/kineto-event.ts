/**
 * The events of a PyTorch profile (Kineto's Chrome trace) that contracts speak of: kernels, copies, fills, launches,
 * synchronisations and the profiler's steps. Times are microseconds, as in the file.
 */

/** Directions of a copy, as the column `direction` says them; `unknown` is in no column. */
export const directions = { h2d: 0, d2h: 1, d2d: 2, other: 3, unknown: -1 } as const;

/** Kinds of synchronisation, as the column `kind` says them. */
const syncKinds = { stream: 0, device: 1, event: 2 } as const;

interface Timed {
  readonly start: number;
  readonly duration: number;
}

interface OnDevice extends Timed {
  readonly stream: number;
  readonly device: number;
  /** Ties it to the host call that caused it; −1 when unknown. */
  readonly correlation: number;
}

/** An event that a contract can be about; all others are dropped. */
export type KinetoEvent =
  | ({ readonly kind: 'kernel'; readonly name: string } & OnDevice)
  | ({
      readonly kind: 'copy';
      readonly direction: number;
      readonly bytes: number;
      readonly pageable: boolean;
    } & OnDevice)
  | ({
      readonly kind: 'call';
      readonly correlation: number;
      readonly blocking: boolean;
      /** It asks for a copy. */
      readonly copies: boolean;
    } & Timed)
  | ({ readonly kind: 'sync'; readonly sync: number } & Timed)
  | ({ readonly kind: 'wait' } & Timed)
  | ({ readonly kind: 'step'; readonly index: number } & Timed);

const wanted =
  /"cat"\s*:\s*"(kernel|gpu_memcpy|gpu_memset|cuda_runtime|cuda_driver|runtime|memcpy|memset|user_annotation|cpu_op|operator)"/i;
const callNames =
  /"name"\s*:\s*"(?:cuda|cu|hip)(?:\w*Launch\w*|Memcpy\w*|Memset\w*|StreamSynchronize|DeviceSynchronize|CtxSynchronize|EventSynchronize|StreamWaitEvent|GraphLaunch)/;

/** A copy is one whatever category it is filed under. */
const copyName = /^Memcpy [A-Z]to[A-Z]\b/;
const copyNameIn = /"name"\s*:\s*"Memcpy [A-Z]to[A-Z]\b/;

/** Whether the text of an event is worth parsing: most of a profile are irrelevant operators. */
export function isWanted(text: string): boolean {
  const category = wanted.exec(text)?.[1]?.toLowerCase();
  if (category === undefined) return copyNameIn.test(text);
  if (category === 'user_annotation' || category === 'cpu_op' || category === 'operator')
    return text.includes('ProfilerStep#');
  if (category === 'cuda_runtime' || category === 'cuda_driver' || category === 'runtime') return callNames.test(text);
  return true;
}

type Fields = Readonly<Record<string, unknown>>;

/** The event that a parsed object describes; null for any other object. */
export function kinetoEvent(value: unknown): KinetoEvent | null {
  if (!isFields(value)) return null;
  const phase = value['ph'];
  // An event that only begins has no duration: it is not understood, and not passed over either.
  const begins = phase === 'B' || phase === 'b' || phase === undefined;
  if (phase !== 'X' && !begins) return null;
  const name = typeof value['name'] === 'string' ? value['name'] : '';
  const category = typeof value['cat'] === 'string' ? value['cat'].toLowerCase() : '';
  const timed = { start: numberOf(value['ts'], NaN), duration: begins ? NaN : numberOf(value['dur'] ?? 0, NaN) };
  const args = isFields(value['args']) ? value['args'] : {};
  if (category === 'kernel') return { kind: 'kernel', name, ...onDevice(timed, args, value) };
  if (category === 'gpu_memcpy' || category === 'memcpy' || copyName.test(name))
    return copyEvent(name, onDevice(timed, args, value), args);
  if (name.startsWith('ProfilerStep#'))
    return { kind: 'step', index: numberOf(name.slice('ProfilerStep#'.length), -1), ...timed };
  if (category === 'cuda_runtime' || category === 'cuda_driver' || category === 'runtime')
    return hostCall(name, timed, args);
  return null;
}

function copyEvent(name: string, device: OnDevice, args: Fields): KinetoEvent {
  const bytes = numberOf(args['bytes'] ?? args['Bytes'] ?? args['size'], NaN);
  return { kind: 'copy', direction: directionOf(name), bytes, pageable: /pageable/i.test(name), ...device };
}

function directionOf(name: string): number {
  // CUPTI calls the memory of arrays A, and that of a peer P.
  if (/Hto[DA]|HostToDevice|(?:Pageable|Pinned|Host) -> Device/i.test(name)) return directions.h2d;
  if (/[DA]toH|DeviceToHost|Device -> (?:Pageable|Pinned|Host)/i.test(name)) return directions.d2h;
  if (/[DA]to[DA]|PtoP|DeviceToDevice|PeerToPeer/i.test(name)) return directions.d2d;
  return /HtoH|HostToHost/i.test(name) ? directions.other : directions.unknown;
}

function hostCall(name: string, timed: Timed, args: Fields): KinetoEvent | null {
  if (name.endsWith('StreamSynchronize')) return { kind: 'sync', sync: syncKinds.stream, ...timed };
  if (/(?:Device|Ctx)Synchronize$/.test(name)) return { kind: 'sync', sync: syncKinds.device, ...timed };
  if (name.endsWith('EventSynchronize')) return { kind: 'sync', sync: syncKinds.event, ...timed };
  if (/StreamWaitEvent/.test(name)) return { kind: 'wait', ...timed };
  if (!/Launch|Memcpy|Memset/.test(name)) return null;
  const copies = /Memcpy/.test(name);
  const blocking = copies && !/Async/.test(name);
  const correlation = numberOf(args['correlation'] ?? args['External id'], -1);
  return { kind: 'call', correlation, blocking, copies, ...timed };
}

/** Why an event is impossible; null if it is not. */
export function flawOf(event: KinetoEvent): string | null {
  if (!Number.isFinite(event.start)) return 'it has no start (ts)';
  if (!(event.duration >= 0 && event.duration < Infinity)) return `it lasts ${event.duration} µs`;
  if (event.kind === 'step' && event.duration === 0) return 'it is a step that lasts 0 µs, in which nothing can happen';
  if (event.kind === 'copy' && event.direction === directions.unknown)
    return 'its name does not say whether it copies to the device or to the host';
  if (event.kind !== 'copy' || (event.bytes >= 0 && event.bytes < Infinity)) return null;
  return Number.isNaN(event.bytes) ? 'it does not say how many bytes it copied' : `it copied ${event.bytes} bytes`;
}

function onDevice(timed: Timed, args: Fields, event: Fields): OnDevice {
  return {
    ...timed,
    stream: numberOf(args['stream'] ?? event['tid'], -1),
    device: numberOf(args['device'] ?? event['pid'], 0),
    correlation: numberOf(args['correlation'], -1),
  };
}

/** Some writers put numbers in quotes. */
function numberOf(value: unknown, otherwise: number): number {
  const number = typeof value === 'string' && /^[-+.\deE]+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && !Number.isNaN(number) ? number : otherwise;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
