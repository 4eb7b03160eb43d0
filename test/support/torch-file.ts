/** Files as `torch.save` writes them, for tests: a stored ZIP archive with a pickle of protocol 2 and the bytes of each storage. */
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { crc32 } from 'node:zlib';

/** A float32 tensor. */
export interface FloatTensor {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

/** What a test's pickle may hold; `[module.name, argument]` under `call` is a call of one argument, under `member` one of `getattr`. */
export type Python =
  | null
  | boolean
  | number
  | string
  | readonly Python[]
  | FloatTensor
  | { readonly call: readonly [name: string, argument: string] }
  | { readonly made: string; readonly state: Python }
  | { readonly global: string }
  | { readonly member: readonly [enumeration: string, name: string] }
  | Map<Python, Python>;

const ascii = (text: string): Uint8Array => utf8ToBytes(text);
const number = (size: number, value: number): Uint8Array => {
  const view = new DataView(new ArrayBuffer(8));
  view.setUint32(0, value, true);
  return new Uint8Array(view.buffer, 0, size);
};
const global = (name: string): Uint8Array => {
  const at = name.lastIndexOf('.');
  return ascii(`c${name.slice(0, at)}\n${name.slice(at + 1)}\n`);
};
const text = (value: string): Uint8Array => concatBytes(ascii('X'), number(4, ascii(value).length), ascii(value));
const isTensor = (value: object): value is FloatTensor => 'shape' in value;

/** One pickle; storages are added to `storages`. */
export function pickled(value: Python, storages: Float32Array[] = []): Uint8Array {
  return concatBytes(Uint8Array.of(0x80, 2), written(value, storages), ascii('.'));
}

function written(value: Python, storages: Float32Array[]): Uint8Array {
  const inner = (item: Python): Uint8Array => written(item, storages);
  if (value === null) return ascii('N');
  if (typeof value === 'boolean') return Uint8Array.of(value ? 0x88 : 0x89);
  if (typeof value === 'string') return text(value);
  if (typeof value === 'number') return numberOf(value);
  if (Array.isArray(value)) return concatBytes(ascii(']('), ...value.map(inner), ascii('e'));
  if (value instanceof Map)
    return concatBytes(ascii('}('), ...[...value].flatMap(([key, item]) => [inner(key), inner(item)]), ascii('u'));
  if ('call' in value) return concatBytes(global(value.call[0]), text(value.call[1]), Uint8Array.of(0x85), ascii('R'));
  if ('member' in value) {
    const given = concatBytes(global(value.member[0]), text(value.member[1]), Uint8Array.of(0x86));
    return concatBytes(global('builtins.getattr'), given, ascii('R'));
  }
  if ('global' in value) return global(value.global);
  if ('made' in value)
    return concatBytes(global(value.made), ascii(')'), Uint8Array.of(0x81), inner(value.state), ascii('b'));
  return isTensor(value) ? tensor(value, storages) : ascii('N');
}

function numberOf(value: number): Uint8Array {
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 31) return concatBytes(ascii('J'), number(4, value));
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return concatBytes(ascii('G'), new Uint8Array(view.buffer));
}

function tensor({ shape, data }: FloatTensor, storages: Float32Array[]): Uint8Array {
  const key = String(storages.push(data) - 1);
  const tuple = (items: readonly Uint8Array[]): Uint8Array => concatBytes(ascii('('), ...items, ascii('t'));
  const sizes = (values: readonly number[]): Uint8Array => tuple(values.map(numberOf));
  const strides = shape.map((_, i) => shape.slice(i + 1).reduce((product, n) => product * n, 1));
  const id = tuple([text('storage'), global('torch.FloatStorage'), text(key), text('cpu'), numberOf(data.length)]);
  const given = tuple([
    concatBytes(id, ascii('Q')),
    numberOf(0),
    sizes(shape),
    sizes(strides),
    Uint8Array.of(0x89),
    concatBytes(global('collections.OrderedDict'), ascii(')R')),
  ]);
  return concatBytes(global('torch._utils._rebuild_tensor_v2'), given, ascii('R'));
}

/** An archive of entries that are stored as they are. */
export function storedZip(entries: readonly (readonly [name: string, bytes: Uint8Array])[]): Uint8Array {
  const local: Uint8Array[] = [];
  const central: Uint8Array[] = [];
  let at = 0;
  for (const [name, bytes] of entries) {
    const called = ascii(name);
    const common = concatBytes(
      number(2, 0),
      number(2, 0),
      number(4, 0),
      number(4, crc32(bytes)),
      number(4, bytes.length),
      number(4, bytes.length),
      number(2, called.length),
      number(2, 0),
    );
    local.push(number(4, 0x04034b50), number(2, 20), common, called, bytes);
    const rest = concatBytes(number(2, 0), number(2, 0), number(2, 0), number(4, 0), number(4, at));
    central.push(number(4, 0x02014b50), number(2, 20), number(2, 20), common, rest, called);
    at += 30 + called.length + bytes.length;
  }
  const directory = concatBytes(...central);
  const [count, none] = [number(2, entries.length), number(2, 0)];
  const end = [number(4, 0x06054b50), none, none, count, count, number(4, directory.length), number(4, at), none];
  return concatBytes(...local, directory, ...end);
}

/** A file of `torch.save`. */
export function torchFile(value: Python, name = 'archive'): Uint8Array {
  const storages: Float32Array[] = [];
  const pickle = pickled(value, storages);
  return storedZip([
    [`${name}/data.pkl`, pickle],
    [`${name}/byteorder`, ascii('little')],
    ...storages.map((data, i) => [`${name}/data/${i}`, new Uint8Array(data.slice().buffer)] as const),
  ]);
}
