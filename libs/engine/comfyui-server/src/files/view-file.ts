import { createReadStream } from 'node:fs';
import { stat, type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { safeMediaTypeOf } from '@heddle/platform-http/media-type';
import { empty, type HttpAnswer } from '../http/answer.js';
import type { Call } from '../http/call.js';
import { byteRangeOf } from './byte-range.js';
import { isFolderType, lastPart, splitAnnotation, type ServedFolders } from './engine-folders.js';
import { renderPicture } from './render-picture.js';

/** `GET /view`: a file in one of the folders, whole, in part, or as an image preview (engine.md 1, Files). */
export async function viewFile(call: Call, folders: ServedFolders): Promise<HttpAnswer | 'sent'> {
  const { query } = call;
  const asked = query.get('filename') ?? '';
  if (asked === '') return empty(404);
  const { name, type: annotated } = splitAnnotation(asked);
  if (name === '' || name.startsWith('/') || name.includes('..')) return empty(400);
  const type = annotated ?? query.get('type') ?? 'output';
  if (!isFolderType(type)) return empty(400);
  const path = await folders.locate(type, query.get('subfolder') ?? '', lastPart(name));
  if (path === null) return empty(403);
  const preview = query.get('preview');
  const channel = query.get('channel') ?? 'rgba';
  try {
    if (!(await stat(path)).isFile()) return empty(404);
    if (preview !== null || channel === 'rgb' || channel === 'a') {
      const { bytes, contentType } = await renderPicture(path, preview, channel);
      return { status: 200, headers: { 'content-type': contentType, ...disposition(path) }, body: bytes };
    }
    return await sendFile(call, path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return empty(404);
    throw error;
  }
}

async function sendFile(call: Call, path: string): Promise<HttpAnswer | 'sent'> {
  const file: FileHandle = await open(path);
  try {
    const { size, mtimeMs } = await file.stat();
    const etag = `"${Math.round(mtimeMs * 1000).toString(16)}-${size.toString(16)}"`;
    const headers = { 'content-type': safeMediaTypeOf(path), ...disposition(path) };
    const range = byteRangeOf(call.header('range'), size);
    if (range === 'bad')
      return { status: 416, headers: { ...headers, 'content-range': `bytes */${size}` }, body: null };
    if (call.header('if-none-match') === etag) return { status: 304, headers: { etag }, body: null };
    const { first, last } = range ?? { first: 0, last: size - 1 };
    const { response } = call;
    response.writeHead(range === null ? 200 : 206, {
      ...headers,
      etag,
      'last-modified': new Date(mtimeMs).toUTCString(),
      'accept-ranges': 'bytes',
      'content-length': last - first + 1,
      ...(range === null ? {} : { 'content-range': `bytes ${first}-${last}/${size}` }),
    });
    if (call.method === 'HEAD' || size === 0) response.end();
    else await pipeline(createReadStream(path, { fd: file, start: first, end: last, autoClose: false }), response);
    return 'sent';
  } finally {
    await file.close();
  }
}

function disposition(path: string): Record<string, string> {
  const name = lastPart(path).replace(/["\\\r\n]/g, '_');
  const plain = /^[\x20-\x7e]*$/.test(name);
  return {
    'content-disposition': plain ? `filename="${name}"` : `filename*=UTF-8''${encodeURIComponent(name)}`,
  };
}
