import { imageSize, imageType } from './image-header.js';

/** A check of a URL that somebody else wrote: what is wrong with it, as the end of a sentence; null: nothing. */
export type UrlCheck = (text: string) => string | null;

/** The most bytes of an image in a body, decoded. */
const MAX_IMAGE_BYTES = 10 * 1_048_576;
const DATA_URI = /^data:image\/(png|jpeg|webp);base64,/;
const IS_URL = /^[a-z][a-z0-9+.-]*:/i;
const ALPHABET = /^[A-Za-z0-9+/]*={0,2}$/;
/** Base64 digits of the part that is decoded: a JPEG has its size behind its metadata. */
const HEAD = 4 * 64 * 1_024;

/**
 * What is wrong with an image that is sent as a URL, a data URI or bare base64; null: nothing. Only the header of the image is
 * read. `maxRatio`: of the longer side to the shorter one.
 */
export function imageProblem(value: unknown, urlProblem: UrlCheck, maxRatio: number): string | null {
  if (typeof value !== 'string' || value === '') return 'must be a URL or base64 text of an image';
  const isData = /^data:/i.test(value);
  if (!isData && IS_URL.test(value)) return urlProblem(value);
  const [head = '', named] = DATA_URI.exec(value) ?? [];
  if (isData && head === '') return 'must be a data URI of a PNG, JPEG or WebP in base64';
  return base64Problem(value.slice(head.length), named ?? null, maxRatio);
}

/** Bare base64 as a data URI, which says what it is; a URL and a data URI as they are. The value has no problem. */
export function asDataUri(value: string): string {
  if (IS_URL.test(value)) return value;
  return `data:image/${imageType(headBytes(value)) ?? 'png'};base64,${value}`;
}

function headBytes(text: string): Uint8Array {
  return Uint8Array.from(atob(text.slice(0, HEAD)), (character) => character.charCodeAt(0));
}

function base64Problem(text: string, named: string | null, maxRatio: number): string | null {
  if (text === '' || text.length % 4 !== 0 || !ALPHABET.test(text)) return 'must be valid base64';
  if (decodedSize(text) > MAX_IMAGE_BYTES) return 'must have at most 10 MiB, decoded';
  const bytes = headBytes(text);
  const type = imageType(bytes);
  if (type === null) return 'must be a PNG, JPEG or WebP image';
  if (named !== null && named !== type) return `must be the ${named} image that its data URI names`;
  const size = imageSize(bytes, type);
  if (size === null) return null;
  const [shorter, longer] = [Math.min(size.width, size.height), Math.max(size.width, size.height)];
  return shorter > 0 && longer <= shorter * maxRatio ? null : `must have sides of at most 1:${maxRatio}`;
}

function decodedSize(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}
