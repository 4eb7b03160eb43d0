/**
 * The elementary functions that compiled kernels import. gpu.js gives WebAssembly JavaScript's own, declared for float32: the
 * engine then converts each number to an object and back. V8 compiles an import that is declared for float64 to a direct
 * call of the same function, so these go through a module that only changes the width: the same bits in half the time.
 */

import { invariant } from '../../base/invariant.ts';
import { webAssembly, type WasmImport } from '../../host/web-assembly.ts';

/** What V8 calls directly (wasm-compiler.cc, `WasmImportCallKind::kF64…`); others only lose by one more call. */
const direct: ReadonlySet<string> = new Set('acos asin atan atan2 cos exp log pow sin tan'.split(' '));

const binaryFunctions: ReadonlySet<string> = new Set(['atan2', 'pow']);

const known = new Map<string, WasmImport>();

/** The function `Math[name]` as a kernel imports it: float32 in, float32 out, computed in float64. */
export function mathImport(name: string): WasmImport {
  const found = known.get(name);
  if (found) return found;
  const own = (Math as unknown as Readonly<Record<string, (...values: number[]) => number>>)[name];
  invariant(own, 'gpu.js imports functions of Math');
  const made = direct.has(name) ? widened(own, binaryFunctions.has(name) ? 2 : 1) : own;
  known.set(name, made);
  return made;
}

const [float64, float32] = [0x7c, 0x7d];
const magic = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
const section = (id: number, ...bytes: readonly number[]): readonly number[] => [id, bytes.length, ...bytes];

/** `(f32, …) → f32`: every argument widened, the function called, its result rounded once. */
function widened(own: (...values: number[]) => number, parameters: number): WasmImport {
  const signature = (type: number): readonly number[] => [
    0x60,
    parameters,
    ...Array<number>(parameters).fill(type),
    1,
    type,
  ];
  const arguments_ = Array.from({ length: parameters }, (_, i) => [0x20, i, 0xbb]).flat(); // local.get i, f64.promote_f32
  const body = [0, ...arguments_, 0x10, 0, 0xb6, 0x0b]; // call 0, f32.demote_f64, end
  const bytes = [
    ...magic,
    ...section(1, 2, ...signature(float64), ...signature(float32)),
    ...section(2, 1, 1, 0x6d, 1, 0x66, 0, 0), // import m.f, a function of the first type
    ...section(3, 1, 1),
    ...section(7, 1, 1, 0x66, 0, 1), // export f
    ...section(10, 1, body.length, ...body),
  ];
  const module = new webAssembly.Module(Uint8Array.from(bytes));
  return new webAssembly.Instance(module, { m: { f: own } }).exports['f'] as WasmImport;
}
