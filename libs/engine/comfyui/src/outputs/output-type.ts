import type { EngineOutputType } from '@heddle/engine-port';
import { mediaTypeOf, UNKNOWN_MEDIA_TYPE } from '@heddle/platform-http/media-type';

const PLAIN = /^[a-z0-9][a-z0-9.+-]{0,60}\/[a-z0-9][a-z0-9.+-]{0,60}$/;

/** The media type of an output: by its name, because engines differ in the type they send for the same file; else as sent. */
export function outputMediaType(fileName: string, reported: string | null): string {
  const type = reported?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return mediaTypeOf(fileName) ?? (PLAIN.test(type) ? type : UNKNOWN_MEDIA_TYPE);
}

/** The kind in which an output is shown (decisions, Outputs of a node). */
export function outputTypeOf(slot: string, fileName: string, contentType: string): EngineOutputType {
  if (slot === 'latents' || /\.latent$/i.test(fileName)) return 'latent';
  const family = contentType.split('/', 1)[0];
  return family === 'image' || family === 'video' || family === 'audio' || family === 'text' ? family : 'file';
}
