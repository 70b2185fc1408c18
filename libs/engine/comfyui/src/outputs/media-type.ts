import type { EngineOutputType } from '@heddle/engine-port';

/** By extension, because engines differ in the type they send for the same file. */
const BY_EXTENSION: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  apng: 'image/apng',
  avif: 'image/avif',
  bmp: 'image/bmp',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  exr: 'image/x-exr',
  svg: 'image/svg+xml',
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  webm: 'video/webm',
  mkv: 'video/x-matroska',
  mov: 'video/quicktime',
  avi: 'video/x-msvideo',
  flac: 'audio/flac',
  mp3: 'audio/mpeg',
  opus: 'audio/ogg',
  ogg: 'audio/ogg',
  wav: 'audio/wav',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  txt: 'text/plain; charset=utf-8',
  md: 'text/markdown; charset=utf-8',
  csv: 'text/csv; charset=utf-8',
  json: 'application/json',
  glb: 'model/gltf-binary',
  gltf: 'model/gltf+json',
  obj: 'model/obj',
  stl: 'model/stl',
  ply: 'model/ply',
};
const UNKNOWN = 'application/octet-stream';
const PLAIN = /^[a-z0-9][a-z0-9.+-]{0,60}\/[a-z0-9][a-z0-9.+-]{0,60}$/;

/** The media type of a file: by its name, else as the engine sends it, else unknown. */
export function mediaTypeOf(fileName: string, reported: string | null): string {
  const extension = /\.([A-Za-z0-9]{1,10})$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
  if (Object.hasOwn(BY_EXTENSION, extension)) return BY_EXTENSION[extension] ?? UNKNOWN;
  const type = reported?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return PLAIN.test(type) ? type : UNKNOWN;
}

/** The kind in which an output is shown (decisions, Outputs of a node). */
export function outputTypeOf(slot: string, fileName: string, contentType: string): EngineOutputType {
  if (slot === 'latents' || /\.latent$/i.test(fileName)) return 'latent';
  const family = contentType.split('/', 1)[0];
  return family === 'image' || family === 'video' || family === 'audio' || family === 'text' ? family : 'file';
}
