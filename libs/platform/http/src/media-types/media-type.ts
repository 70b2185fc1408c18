/** By extension. Types of files that the real engine knows are as the real engine sends them. */
const BY_EXTENSION: Readonly<Record<string, string>> = {
  png: 'image/png',
  apng: 'image/apng',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
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
  ogg: 'audio/ogg',
  opus: 'audio/opus',
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
/** Types of the table whose scripts a browser runs. Pages and scripts have no type in it. */
const RUN_BY_BROWSERS: ReadonlySet<string> = new Set(['image/svg+xml']);

export const UNKNOWN_MEDIA_TYPE = 'application/octet-stream';

/** The media type of a file by its name; null if the extension is unknown. */
export function mediaTypeOf(fileName: string): string | null {
  const extension = /\.([A-Za-z0-9]{1,10})$/.exec(fileName)?.[1]?.toLowerCase() ?? '';
  return (Object.hasOwn(BY_EXTENSION, extension) ? BY_EXTENSION[extension] : undefined) ?? null;
}

/** The media type of a file that a browser opens from a server of ours: none whose scripts it would run. */
export function safeMediaTypeOf(fileName: string): string {
  const type = mediaTypeOf(fileName);
  return type === null || RUN_BY_BROWSERS.has(type) ? UNKNOWN_MEDIA_TYPE : type;
}
