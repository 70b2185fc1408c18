import { describe, expect, it } from 'vitest';
import { BLEND_MODES } from '../pixels/blend-modes.js';
import type { ResampleMethod } from '../pixels/resamplers.js';
import { runRows, type RowTask } from './row-task.js';
import { splitRows } from './split-rows.js';

const SIDE = 700;
const METHODS: readonly ResampleMethod[] = ['nearest-exact', 'bilinear', 'area', 'bicubic', 'lanczos'];

describe('rows computed on two threads', () => {
  it.each(METHODS)('are those of one thread: %s', async (method) => {
    for (const [width, height] of [
      [901, 333],
      [340, 701],
      [SIDE, 955],
    ] as const) {
      const base = { from: noise(), fromWidth: SIDE, fromHeight: SIDE, channels: 3, firstRow: 0, endRow: height };
      const task = (to: Float32Array): RowTask => ({
        kind: 'resample',
        method,
        work: { ...base, to, toWidth: width, toHeight: height },
      });
      await same(task, width * height * 3);
    }
  });

  it('are those of one thread: blur', async () => {
    const size = { width: SIDE, height: SIDE, channels: 3, firstRow: 0, endRow: SIDE };
    const task = (to: Float32Array): RowTask => ({
      kind: 'blur',
      work: { from: noise(), to, radius: 9, sigma: 1, ...size },
    });
    await same(task, SIDE * SIDE * 3);
  });

  it.each(BLEND_MODES)('are those of one thread: blend, %s', async (mode) => {
    const upper = noise()
      .reverse()
      .subarray(0, SIDE * SIDE * 3);
    const size = { rowLength: SIDE * 3, firstRow: 0, endRow: 2 * SIDE };
    const task = (to: Float32Array): RowTask => ({
      kind: 'blend',
      // The upper picture counts for both of the lower ones.
      work: { mode, factor: 0.3, from: twice(noise()), upper, to, ...size },
    });
    await same(task, 2 * SIDE * SIDE * 3);
  });

  it('are those of one thread: one row again and again', async () => {
    const from = noise().subarray(0, SIDE * 3);
    const task = (to: Float32Array): RowTask => ({ kind: 'repeat', work: { from, to, firstRow: 0, endRow: 901 } });
    await same(task, 901 * SIDE * 3);
  });

  it('end with the error of this thread, and the next task works', async () => {
    const size = { width: SIDE, height: SIDE, channels: 3, firstRow: 0, endRow: SIDE };
    const to = new Float32Array(new SharedArrayBuffer(SIDE * SIDE * 12));
    const task: RowTask = { kind: 'blur', work: { from: noise(), to, radius: 1, sigma: 1, ...size } };
    const interrupt = (): void => {
      throw new RangeError('interrupted');
    };
    await expect(splitRows(task, interrupt)).rejects.toThrow('interrupted');
    await expect(splitRows(task, () => undefined)).resolves.toBeUndefined();
  });
});

async function same(task: (to: Float32Array) => RowTask, samples: number): Promise<void> {
  const alone = new Float32Array(samples);
  const shared = new Float32Array(new SharedArrayBuffer(samples * 4));
  await runRows(task(alone), () => undefined);
  await splitRows(task(shared), () => undefined);
  expect(Buffer.compare(Buffer.from(alone.buffer), Buffer.from(shared.buffer))).toBe(0);
}

function twice(picture: Float32Array): Float32Array {
  const both = new Float32Array(2 * picture.length);
  both.set(picture);
  both.set(picture, picture.length);
  return both;
}

/** The same noise each time. */
function noise(): Float32Array {
  let state = 1;
  return Float32Array.from({ length: SIDE * SIDE * 3 }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 32;
  });
}
