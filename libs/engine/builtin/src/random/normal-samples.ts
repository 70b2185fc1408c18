import { MersenneTwister } from './mersenne-twister.js';
import { sineCosine, singleLog } from './single-precision.js';

const { fround, sqrt, log1p, sin, cos, PI } = Math;
/** Samples that are made together: eight radii and eight angles. */
const GROUP = 16;
const TWO_PI = fround(2 * PI);

/**
 * `to` becomes what torch's `randn` gives on a CPU for a generator with this seed: float32 samples of the standard normal
 * distribution by the Box-Muller method, in groups of 16; fewer than 16 samples are made one by one in double precision.
 */
export function normalSamples(seed: bigint, to: Float32Array): void {
  const twister = new MersenneTwister(Number(BigInt.asUintN(32, seed)));
  const count = to.length;
  if (count < GROUP) {
    fillFew(twister, to);
    return;
  }
  for (let i = 0; i < count; i += 1) to[i] = (twister.next() & 0xffffff) / 0x1000000;
  const whole = count - (count % GROUP);
  for (let start = 0; start < whole; start += GROUP) transform(to, start);
  if (whole === count) return;
  // The last sixteen are drawn anew, over what the last whole group left there.
  const last = count - GROUP;
  for (let i = last; i < count; i += 1) to[i] = (twister.next() & 0xffffff) / 0x1000000;
  transform(to, last);
}

const pair = new Float32Array(2);

function transform(to: Float32Array, start: number): void {
  for (let i = start; i < start + GROUP / 2; i += 1) {
    const radius = fround(sqrt(fround(-2 * singleLog(fround(1 - (to[i] as number))))));
    sineCosine(fround(TWO_PI * (to[i + GROUP / 2] as number)), pair);
    to[i] = radius * (pair[1] as number);
    to[i + GROUP / 2] = radius * (pair[0] as number);
  }
}

function fillFew(twister: MersenneTwister, to: Float32Array): void {
  for (let i = 0; i < to.length; i += 2) {
    const angle = 2 * PI * uniformDouble(twister);
    const radius = sqrt(-2 * log1p(-uniformDouble(twister)));
    to[i] = radius * cos(angle);
    if (i + 1 < to.length) to[i + 1] = radius * sin(angle);
  }
}

/** 53 random bits of two words, the first of them the higher. */
function uniformDouble(twister: MersenneTwister): number {
  const high = twister.next() & 0x1fffff;
  return (high * 2 ** 32 + twister.next()) / 2 ** 53;
}
