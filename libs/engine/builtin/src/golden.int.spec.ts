import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { inflateSync } from 'node:zlib';
import type { EngineFile, EngineOutcome } from '@heddle/engine-port';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pngChunk, PNG_SIGNATURE } from './images/encode-png.js';
import { BuiltinEngine } from './index.js';

interface RecordedImage {
  readonly filename: string;
  readonly mode: string;
  readonly width: number;
  readonly height: number;
  readonly sha256?: string;
  readonly pixels_zlib_b64?: string;
  readonly frames_sha256?: readonly string[];
  readonly text_chunks?: readonly string[];
}

interface RecordedOutput {
  readonly images?: readonly RecordedImage[];
  /** Those of a comparison. */
  readonly a_images?: readonly RecordedImage[];
  readonly b_images?: readonly RecordedImage[];
  readonly text?: readonly string[];
}

interface Expected {
  readonly status: 'success' | 'error' | 'refused';
  readonly outputs: Readonly<Record<string, RecordedOutput>>;
  readonly error?: { node_id: string; node_type: string; exception_message: string };
}

interface RecordedCase {
  readonly name: string;
  readonly inputs: readonly string[];
  readonly workflow: Readonly<Record<string, { class_type: string }>>;
  readonly max_abs_diff: number;
  readonly expect: Expected;
  readonly expect_0_3_64?: Expected;
}

interface Got {
  readonly nodeId: string;
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** Not judged here, with the reason. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  one_bad_branch: 'one bad output node refuses the whole submission before an engine sees it',
  preview_any_image: "the printed tensor is the recorded engine's own",
};
const RECORDED = new URL('../recorded/', import.meta.url);

const cases = casesOf('cases.jsonl');
/** Answers of a real engine of the newer version to graphs made for the classes that the recorded ones leave out. */
const measured = casesOf('measured.jsonl');
/** Files of every kind through a loader of the older version. */
const pictures = casesOf('pictures.jsonl');

function casesOf(file: string): readonly RecordedCase[] {
  return readFileSync(new URL(file, RECORDED), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RecordedCase)
    .filter((recorded) => !(recorded.name in LEFT_OUT));
}

describe('a recorded graph', () => {
  const engine = new BuiltinEngine();
  beforeAll(() => engine.prestart());
  afterAll(() => engine.close());

  it('is there for every recorded one but those left out', () => {
    expect(cases.length).toBe(90);
  });

  it.each([...cases, ...measured, ...pictures].map((recorded) => [recorded.name, recorded] as const))(
    '%s gives what the engine gave',
    async (_, recorded) => {
      const got: Got[] = [];
      const outcome = await runCase(engine, recorded, got);
      const answers = [recorded.expect, recorded.expect_0_3_64].filter((answer) => answer !== undefined);
      const verdicts = await Promise.all(
        answers.map((answer) => differences(answer, outcome, got, recorded.max_abs_diff)),
      );
      if (!verdicts.some((verdict) => verdict.length === 0))
        expect.fail(verdicts.map((v) => v.join('\n')).join('\nor\n'));
    },
  );
});

function runCase(engine: BuiltinEngine, recorded: RecordedCase, got: Got[]): Promise<EngineOutcome> {
  return engine.run(
    {
      runId: '00000000-0000-4000-8000-000000000000',
      workflow: Buffer.from(JSON.stringify(recorded.workflow)),
      files: recorded.inputs.map(inputFile),
    },
    {
      nodeStarted: () => undefined,
      nodeProgress: () => undefined,
      nodeFinished: () => undefined,
      preview: () => undefined,
      output: async ({ nodeId, name, contentType, open }) => {
        got.push({ nodeId, name, contentType, bytes: await buffer(await open()) });
      },
    },
    new AbortController().signal,
  );
}

function inputFile(name: string): EngineFile {
  const folder = existsSync(new URL(`inputs/${name}`, RECORDED)) ? 'inputs' : 'pictures';
  const path = fileURLToPath(new URL(`${folder}/${name}`, RECORDED));
  return { name, sizeBytes: statSync(path).size, open: async () => createReadStream(path) };
}

/** What of an outcome differs from a recorded answer, in words; empty when nothing does. */
async function differences(
  answer: Expected,
  outcome: EngineOutcome,
  got: readonly Got[],
  tolerance: number,
): Promise<readonly string[]> {
  const found: string[] = [];
  if (answer.status === 'success' && outcome.kind !== 'succeeded') return [`ended ${JSON.stringify(outcome)}`];
  if (answer.error) {
    const { node_id: nodeId, node_type: classType, exception_message: message } = answer.error;
    const same = outcome.kind === 'failed' && outcome.nodeId === nodeId && outcome.classType === classType;
    if (!same || firstLine(outcome.message) !== firstLine(message)) found.push(`failed as ${JSON.stringify(outcome)}`);
  }
  for (const [nodeId, output] of Object.entries(answer.outputs)) {
    const ofNode = got.filter((item) => item.nodeId === nodeId);
    const { images = [], a_images: aImages = [], b_images: bImages = [], text = [] } = output;
    const wanted = [...images, ...aImages, ...bImages, ...text];
    if (ofNode.length !== wanted.length) found.push(`${nodeId}: ${ofNode.length} outputs instead of ${wanted.length}`);
    for (const [index, item] of wanted.entries()) {
      const mine = ofNode[index];
      if (!mine) continue;
      if (typeof item === 'string') {
        if (mine.bytes.toString('utf8') !== item) found.push(`${nodeId}: text "${mine.bytes.toString('utf8')}"`);
      } else {
        found.push(...(await imageDifferences(nodeId, item, mine, tolerance)));
      }
    }
  }
  return found;
}

async function imageDifferences(nodeId: string, wanted: RecordedImage, got: Got, tolerance: number): Promise<string[]> {
  const found: string[] = [];
  const [before = '', after = null] = wanted.filename.split('?????');
  const tag = got.name.slice(before.length, before.length + 5);
  const named = after === null ? got.name === before : got.name === `${before}${tag}${after}` && /^[a-z]{5}$/.test(tag);
  if (!named) found.push(`${nodeId}: called ${got.name}, not ${wanted.filename}`);
  if (wanted.frames_sha256) return [...found, ...(await frameDifferences(nodeId, wanted.frames_sha256, got))];
  const keywords = textKeywords(got.bytes).join();
  if (keywords !== wanted.text_chunks?.join()) found.push(`${nodeId}: text chunks ${keywords}`);
  const { data, info } = await sharp(got.bytes).raw().toBuffer({ resolveWithObject: true });
  const shape = `${info.width}x${info.height}x${info.channels}`;
  if (shape !== `${wanted.width}x${wanted.height}x${wanted.mode.length}`) return [...found, `${nodeId}: is ${shape}`];
  if (createHash('sha256').update(data).digest('hex') === wanted.sha256) return found;
  if (wanted.pixels_zlib_b64 === undefined) return [...found, `${nodeId}: other pixels`];
  const pixels = inflateSync(Buffer.from(wanted.pixels_zlib_b64, 'base64'));
  const worst = data.reduce((max, byte, i) => Math.max(max, Math.abs(byte - (pixels[i] ?? 0))), 0);
  if (worst > tolerance) {
    const bad = data.filter((byte, i) => byte !== pixels[i]).length;
    found.push(`${nodeId}: ${bad} of ${data.length} samples differ, by ${worst} at most`);
  }
  return found;
}

/** Every frame of an animation, as a decoder shows it, beside the recorded hash. */
async function frameDifferences(
  nodeId: string,
  wanted: readonly string[],
  { bytes, contentType }: Got,
): Promise<string[]> {
  const frames = contentType === 'image/webp' ? await webpFrames(bytes) : apngFrames(bytes);
  if (frames.length !== wanted.length) return [`${nodeId}: ${frames.length} frames instead of ${wanted.length}`];
  const hashes = await Promise.all(
    frames.map(async (frame) =>
      createHash('sha256')
        .update(await frame)
        .digest('hex'),
    ),
  );
  return hashes.flatMap((hash, i) => (hash === wanted[i] ? [] : [`${nodeId}: frame ${i} differs`]));
}

async function webpFrames(bytes: Buffer): Promise<readonly Buffer[]> {
  const { pages = 1 } = await sharp(bytes).metadata();
  return Promise.all(Array.from({ length: pages }, (_, page) => sharp(bytes, { page }).removeAlpha().raw().toBuffer()));
}

/** The frames of an animated PNG, each rebuilt as a PNG of its own: the decoder here reads only the first. */
function apngFrames(bytes: Buffer): readonly Promise<Buffer>[] {
  const chunks: { type: string; data: Buffer }[] = [];
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const end = at + 8 + bytes.readUInt32BE(at);
    chunks.push({ type: bytes.toString('latin1', at + 4, at + 8), data: bytes.subarray(at + 8, end) });
  }
  const head = chunks.find((chunk) => chunk.type === 'IHDR')?.data ?? Buffer.alloc(13);
  const frames = chunks.flatMap(({ type, data }) =>
    type === 'IDAT' ? [data] : type === 'fdAT' ? [data.subarray(4)] : [],
  );
  return frames.map((data) => {
    const parts = [PNG_SIGNATURE, pngChunk('IHDR', head), pngChunk('IDAT', data), pngChunk('IEND', Buffer.alloc(0))];
    return sharp(Buffer.concat(parts)).raw().toBuffer();
  });
}

/** Keywords of the tEXt chunks of a PNG. */
function textKeywords(png: Buffer): readonly string[] {
  const keywords: string[] = [];
  const header = 12;
  for (let at = 8; at < png.length; at += header + png.readUInt32BE(at)) {
    if (png.toString('latin1', at + 4, at + 8) !== 'tEXt') continue;
    keywords.push(png.toString('latin1', at + 8, png.indexOf(0, at + 8)));
  }
  return keywords;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
