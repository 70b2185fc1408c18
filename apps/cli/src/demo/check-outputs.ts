import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { hashFile } from '../api/file-hash.js';

/** A downloaded output in the JSON lines of `heddle run` or `heddle jobs show`. */
interface CheckedFile {
  readonly nodeId: string;
  readonly path: string;
  readonly hash: string | null;
}

const SIZE = { width: 960, height: 640 };

/** Checks pixel by pixel that the files match the graph; returns what was checked, throws on a mismatch. */
export async function checkOutputs(files: readonly CheckedFile[]): Promise<string[]> {
  const byNode = new Map(files.map((file) => [file.nodeId, file]));
  for (const file of files) {
    if ((await hashFile(file.path)).hash !== file.hash)
      throw new Error(`${file.path} does not have the hash that the service returned`);
  }
  const glow = await pixels(need(byNode, '8'));
  const negative = await pixels(need(byNode, '9'));
  const unequal = glow.findIndex((value, at) => Math.abs(value + (negative[at] ?? -9) - 255) > 1);
  if (unequal >= 0)
    throw new Error(`the second picture is not the negative: byte ${unequal} of both does not add up to 255`);
  const caption = await readFile(need(byNode, '11').path, 'utf8');
  if (caption !== 'A lake at dusk, and its negative') throw new Error(`the caption is "${caption}"`);
  return [
    `${files.length} files have the BLAKE3 hashes that the service returned`,
    `both pictures decode to ${SIZE.width}x${SIZE.height} pixels`,
    `each of their ${glow.length.toLocaleString('en')} samples adds up to white with its negative`,
    `the caption reads "${caption}"`,
  ];
}

async function pixels(file: CheckedFile): Promise<Buffer> {
  const { data, info } = await sharp(file.path).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  if (info.width !== SIZE.width || info.height !== SIZE.height)
    throw new Error(`${file.path} has ${info.width}x${info.height} pixels`);
  return data;
}

function need(files: ReadonlyMap<string, CheckedFile>, nodeId: string): CheckedFile {
  const file = files.get(nodeId);
  if (file === undefined) throw new Error(`node ${nodeId} has no output`);
  return file;
}
