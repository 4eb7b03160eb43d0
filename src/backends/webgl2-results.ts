/** What a session needs to know of WebGL2, and of gpu.js's kernels on it, to read the results of many calls at once. */

/** What of WebGL2 reads results. */
export interface PixelReader {
  readonly PIXEL_PACK_BUFFER: number;
  readonly STREAM_READ: number;
  readonly RED: number;
  readonly RGBA: number;
  readonly FLOAT: number;
  readonly createBuffer: () => object;
  readonly deleteBuffer: (buffer: object) => void;
  readonly bindBuffer: (target: number, buffer: object | null) => void;
  readonly bufferData: (target: number, bytes: number, usage: number) => void;
  readonly readPixels: (...place: readonly [number, number, number, number, number, number, number]) => void;
  readonly getBufferSubData: (target: number, from: number, into: Float32Array) => void;
}

/** Results of calls with one output shape, in one buffer of the device. */
export interface Results {
  readonly buffer: object;
  readonly floats: Float32Array;
  readonly arrived: (() => void)[];
  used: number;
}

/** What gpu.js's kernels on WebGL2 read their results with (2.24.1, `web-gl2/kernel.js`). */
export interface PixelKernel {
  readonly texSize: readonly [number, number];
  /** Whether a number is one float of a pixel, and not the first of four. */
  readonly _tightRead: boolean;
  transferValuesAsync: () => Promise<Float32Array>;
}
