import { columnSums, pairPixels, quantiseRow, rowSums, unitRow } from './byte-windows.js';
import { fusedColumns, fusedRows } from './fused-sum.js';
import { pagesOf, wasmModule } from './wasm-module.js';
import { addWindows, windowMeans } from './window-mean.js';
import { sharpenSamples, sumToDoubles, sumToSingles, widenSamples } from './weighted-sum.js';

/** The part of the runtime's WebAssembly that is used here; its types come with a browser's only. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Memory: new (pages: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
};

/** Functions over the memory of a kernel: addresses and lengths are in bytes. */
interface KernelFunctions {
  sumToDoubles(table: number, tableEnd: number, to: number, bytes: number): void;
  sumToSingles(table: number, tableEnd: number, to: number, bytes: number): void;
  widenSamples(from: number, to: number, fromEnd: number): void;
  sharpenSamples(from: number, blurred: number, fromEnd: number, strength: number): void;
  fusedColumns(from: number, taps: number, tapsEnd: number, tapBytes: number, to: number, pixelBytes: number): void;
  fusedRows(taps: number, tapsEnd: number, to: number, bytes: number): void;
  addWindows(from: number, windows: number, windowsEnd: number, sums: number, pixelBytes: number): void;
  windowMeans(sums: number, windows: number, windowsEnd: number, height: number, to: number, pixelBytes: number): void;
  pairPixels(from: number, to: number, toEnd: number, channels: number, lanes: number): void;
  columnSums(starts: number, startsEnd: number, weights: number, pairBytes: number, to: number, channels: number): void;
  rowSums(table: number, tableEnd: number, to: number, bytes: number): void;
  quantiseRow(from: number, to: number, fromEnd: number): void;
  unitRow(from: number, to: number, fromEnd: number): void;
}

/** Compiled code and a memory of its own for the lines of one task. The memory goes with it. */
export interface PixelKernel {
  readonly run: KernelFunctions;
  readonly buffer: ArrayBuffer;
}

/** Hands out parts of a kernel's memory, one after the other, each aligned to a vector. */
export class KernelLayout {
  bytes = 0;

  /** Address of so many bytes. */
  take(bytes: number): number {
    const at = this.bytes;
    this.bytes += Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
    return at;
  }
}

const ALIGNMENT = 64;
/** Vectors may be read across the end of the last line. */
const MARGIN_BYTES = 64;

const FUNCTIONS = [
  sumToDoubles,
  sumToSingles,
  widenSamples,
  sharpenSamples,
  fusedColumns,
  fusedRows,
  addWindows,
  windowMeans,
  pairPixels,
  columnSums,
  rowSums,
  quantiseRow,
  unitRow,
];

let compiled: object | null = null;

/** A kernel with so many zeroed bytes; a RangeError when they are not to be had. */
export function startKernel({ bytes }: KernelLayout): PixelKernel {
  compiled ??= new WebAssembly.Module(wasmModule(FUNCTIONS.map((make) => make())));
  const pages = pagesOf(bytes + MARGIN_BYTES);
  const pixels = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const { exports } = new WebAssembly.Instance(compiled, { memory: { pixels } });
  return { run: exports as KernelFunctions, buffer: pixels.buffer };
}
