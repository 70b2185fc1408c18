import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Generation } from '../generation.js';
import { json, type HttpAnswer } from '../http/answer.js';
import type { HttpRoute } from '../http/route-table.js';
import { isFolderType, type ServedFolders } from './engine-folders.js';
import { UploadRoutes } from './upload-routes.js';
import { viewFile } from './view-file.js';

/** Maximum names in one listing. */
const MAX_LISTED = 10_000;

/** File upload and download (engine.md 1, Files). */
export function fileRoutes(folders: ServedFolders, generation: Generation): HttpRoute[] {
  const uploads = new UploadRoutes(folders);
  return [
    { method: 'GET', path: '/view', handle: (call) => viewFile(call, folders) },
    { method: 'POST', path: '/upload/image', handle: (call) => uploads.image(call) },
    { method: 'POST', path: '/upload/mask', handle: (call) => uploads.mask(call) },
    {
      method: 'GET',
      path: '/internal/files/*',
      twin: false,
      handle: (_, [type]) => listFiles(type!, folders, generation),
    },
  ];
}

async function listFiles(type: string, folders: ServedFolders, generation: Generation): Promise<HttpAnswer> {
  if (!isFolderType(type)) return json({ error: 'Invalid directory type' }, 400);
  const root = folders.path(type);
  const entries = await readdir(root, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.')).map(({ name }) => name);
  const dated = await Promise.all(
    names.slice(0, MAX_LISTED).map(async (name) => {
      const found = await stat(join(root, name)).catch(() => null);
      return { name, changed: found?.mtimeMs ?? 0 };
    }),
  );
  dated.sort((a, b) => b.changed - a.changed);
  return json(dated.map(({ name }) => (generation === '0.33.0' ? `${name} [${type}]` : name)));
}
