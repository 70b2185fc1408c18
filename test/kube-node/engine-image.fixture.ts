import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { builtinObjectInfo } from '@heddle/engine-builtin';
import { writeImage } from '../../tools/images/image-archive.ts';
import { imageEntries } from '../../tools/images/image-entries.ts';
import { builtCommit, heddleRuns } from '../../tools/images/make-heddle-image.ts';
import type { ImageArchive } from '../../tools/kube/node/pod-images.ts';

export const ENGINE = { repository: 'heddle-engine', port: 8188, writable: ['/var/lib/heddle', '/tmp'] } as const;
/** Small enough for one machine. */
export const ENGINE_RESOURCES = { requests: { cpu: '10m', memory: '256Mi' }, limits: { memory: '2Gi' } };

/** An image whose only program is an engine: the built-in one, under the protocol of the real one. */
export async function makeEngineImage(root: string, folder: string): Promise<ImageArchive> {
  const commit = builtCommit(root);
  const image = { name: ENGINE.repository, tag: commit, file: join(folder, 'engine.tar') };
  const words = ['heddle', 'engine', '--port', String(ENGINE.port), '--data', `${ENGINE.writable[0]}/engine`];
  const runs = {
    ...heddleRuns('0.0.0'),
    Entrypoint: ['/usr/local/bin/node', '/opt/heddle/docker/start.mjs', ...words],
    Cmd: [],
    Env: ['PATH=/usr/local/bin', 'HEDDLE_TEST_NODES=1'],
  };
  await writeImage(imageEntries(root, commit), { ...image, runs }, image.file);
  return image;
}

/** Path of the environment of a deployment with this engine. Only its worker reaches it, so the node classes are given. */
export async function engineEnvironment(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  process.env['HEDDLE_TEST_NODES'] = '1';
  await writeFile(join(folder, 'object_info.json'), builtinObjectInfo());
  const file = join(folder, 'environment.json');
  const engine = `http://127.0.0.1:${ENGINE.port}`;
  await writeFile(file, JSON.stringify({ engine, catalogue: 'object_info.json', image: ENGINE.repository }));
  return file;
}
