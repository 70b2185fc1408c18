import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import sharp from 'sharp';
import type { ReadOutput } from '@heddle/testing-engine';
import type { Expected, RecordedImage } from './recorded-cases.js';

/** Describes how outputs of a run differ from a recorded answer, and counts the compared pictures. */
export async function outputDifferences(
  answer: Expected,
  outputs: readonly ReadOutput[],
  tolerance: number,
  count: (pictures: number, exact: number) => void,
): Promise<string[]> {
  const found: string[] = [];
  for (const [nodeId, { images = [], text = [] }] of Object.entries(answer.outputs)) {
    const got = outputs.filter((output) => output.nodeId === nodeId);
    if (got.length !== images.length + text.length) found.push(`${nodeId}: ${got.length} outputs`);
    for (const [index, image] of images.entries()) {
      const mine = got[index];
      if (mine === undefined) continue;
      const { worst, problem } = await compared(image, mine, tolerance);
      count(1, worst === 0 && problem === null ? 1 : 0);
      if (problem !== null) found.push(`${nodeId}/${index}: ${problem}`);
    }
    for (const [index, wanted] of text.entries()) {
      const told = got[images.length + index]?.bytes.toString('utf8');
      if (told !== wanted) found.push(`${nodeId}: text ${told} instead of ${wanted}`);
    }
  }
  return found;
}

async function compared(
  wanted: RecordedImage,
  got: ReadOutput,
  tolerance: number,
): Promise<{ worst: number; problem: string | null }> {
  const { pages = 1 } = await sharp(got.bytes).metadata();
  if (wanted.frames_sha256 !== undefined && pages > 1) {
    const same = pages === wanted.frames_sha256.length;
    return { worst: 0, problem: same ? null : `${pages} frames instead of ${wanted.frames_sha256.length}` };
  }
  const { data, info } = await sharp(got.bytes).raw().toBuffer({ resolveWithObject: true });
  const shape = `${info.width}x${info.height}x${info.channels}`;
  if (wanted.frames_sha256 === undefined && shape !== `${wanted.width}x${wanted.height}x${wanted.mode.length}`) {
    return { worst: 255, problem: `is ${shape}` };
  }
  if (wanted.sha256 === undefined) return { worst: 0, problem: null };
  if (createHash('sha256').update(data).digest('hex') === wanted.sha256) return { worst: 0, problem: null };
  if (wanted.pixels_zlib_b64 === undefined) return { worst: 255, problem: 'other pixels' };
  const pixels = inflateSync(Buffer.from(wanted.pixels_zlib_b64, 'base64'));
  const worst = data.reduce((most, byte, i) => Math.max(most, Math.abs(byte - (pixels[i] ?? 0))), 0);
  return { worst, problem: worst > tolerance ? `differs by ${worst}` : null };
}
