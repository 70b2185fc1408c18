// Writes an image as `docker save` does (docker-archive): docker load, podman load and ctr import read it.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { pack, type Pack } from 'tar-stream';
import type { ImageEntry } from './image-entries.ts';

/** The same content must have the same digest whenever it is made. */
const TIME = new Date(0);

export interface ImagePlan {
  /** e.g. `heddle` */
  readonly name: string;
  readonly tag: string;
  /** The `config` of the image: what runs, as whom, and its labels. */
  readonly runs: object;
}

export interface MadeImage {
  readonly digest: string;
  /** Of all files, unpacked. */
  readonly bytes: number;
}

/** Writes the archive. The digest is that of the configuration, as `docker images --digests` shows for a loaded image. */
export async function writeImage(
  entries: readonly ImageEntry[],
  { name, tag, runs }: ImagePlan,
  file: string,
): Promise<MadeImage> {
  const layer = await bytesOf(layerOf(entries));
  const config = Buffer.from(JSON.stringify(configOf(`sha256:${sha256(layer)}`, runs)));
  const digest = sha256(config);
  const manifest = [{ Config: `${digest}.json`, RepoTags: [`${name}:${tag}`], Layers: ['layer.tar'] }];
  const archive = pack();
  for (const [path, content] of [
    ['layer.tar', layer],
    [`${digest}.json`, config],
    ['manifest.json', Buffer.from(JSON.stringify(manifest))],
  ] as const)
    archive.entry({ name: path, size: content.length, mtime: TIME }, content);
  archive.finalize();
  await pipeline(archive, createWriteStream(file));
  const bytes = entries.reduce((sum, entry) => sum + (entry.type === 'file' ? entry.content().length : 0), 0);
  return { digest: `sha256:${digest}`, bytes };
}

function layerOf(entries: readonly ImageEntry[]): Pack {
  const layer = pack();
  for (const entry of entries) {
    const shared = { name: entry.path, mtime: TIME, uid: 0, gid: 0, uname: '', gname: '' };
    if (entry.type === 'link') layer.entry({ ...shared, type: 'symlink', linkname: entry.target });
    else if (entry.type === 'folder')
      layer.entry({
        ...shared,
        name: `${entry.path}/`,
        type: 'directory',
        mode: entry.mode,
        uid: entry.owner,
        gid: entry.owner,
      });
    else layer.entry({ ...shared, mode: entry.mode }, entry.content());
  }
  layer.finalize();
  return layer;
}

function configOf(layer: string, runs: object): object {
  return {
    architecture: 'amd64',
    os: 'linux',
    created: TIME.toISOString(),
    config: runs,
    rootfs: { type: 'layers', diff_ids: [layer] },
    history: [{ created: TIME.toISOString(), created_by: 'npm run images' }],
  };
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

async function bytesOf(stream: Pack): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
