import {
  add,
  addFloats,
  divideFloats,
  load32Splat,
  loadInteger,
  loadVector,
  repeatBelow,
  storeVector,
  type Code,
} from './wasm-code.js';
import { WasmFunction } from './wasm-module.js';

/** A window of a row in a table: offsets of its first pixel and of its end, how many pixels it has as a float32. */
export const WINDOW_BYTES = 16;
/** The sum of a window: a vector of its channels. */
export const SUM_BYTES = 16;

/**
 * `(from, windows, windowsEnd, sums, pixelBytes)`: adds to each sum the pixels of its window in a row, one after the
 * other, each addition rounded to float32.
 */
export function addWindows(): WasmFunction {
  const sum = new WasmFunction('addWindows');
  const [from, windows, windowsEnd] = [sum.parameter(), sum.parameter(), sum.parameter()];
  const [sums, pixelBytes] = [sum.parameter(), sum.parameter()];
  const [at, end, total] = [sum.local(), sum.local(), sum.local('v128')];
  const place = (offset: number): Code => add(from.get, loadInteger(windows.get, offset));
  return sum.does(
    repeatBelow(
      windows,
      windowsEnd.get,
      at.set(place(0)),
      end.set(place(4)),
      total.set(loadVector(sums.get)),
      repeatBelow(
        at,
        end.get,
        total.set(addFloats(total.get, loadVector(at.get))),
        at.set(add(at.get, pixelBytes.get)),
      ),
      storeVector(sums.get, total.get),
      sums.step(SUM_BYTES),
      windows.step(WINDOW_BYTES),
    ),
  );
}

/**
 * `(sums, windows, windowsEnd, height, to, pixelBytes)`: each new pixel is its sum divided by the rows (a float32 at the
 * address `height`), then by the columns of its window. Whole vectors are stored; what is too much the next overwrites.
 */
export function windowMeans(): WasmFunction {
  const mean = new WasmFunction('windowMeans');
  const [sums, windows, windowsEnd] = [mean.parameter(), mean.parameter(), mean.parameter()];
  const [height, to, pixelBytes] = [mean.parameter(), mean.parameter(), mean.parameter()];
  const rows = mean.local('v128');
  return mean.does(
    rows.set(load32Splat(height.get)),
    repeatBelow(
      windows,
      windowsEnd.get,
      storeVector(to.get, divideFloats(divideFloats(loadVector(sums.get), rows.get), load32Splat(windows.get, 8))),
      to.set(add(to.get, pixelBytes.get)),
      sums.step(SUM_BYTES),
      windows.step(WINDOW_BYTES),
    ),
  );
}
