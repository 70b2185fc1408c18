import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeImage, type MadeImage } from './image-archive.ts';
import { imageEntries, USER } from './image-entries.ts';

const NAME = 'heddle';

export interface HeddleImage extends MadeImage {
  readonly name: string;
  readonly tag: string;
  /** The archive. */
  readonly file: string;
}

/** Makes the image of a checkout that is built, into its `.cache/images`. */
export async function makeHeddleImage(root: string, built = builtCommit(root)): Promise<HeddleImage> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const tag = `${version}-${built}`;
  const images = join(root, '.cache', 'images');
  mkdirSync(images, { recursive: true });
  const file = join(images, `${NAME}-${tag}.tar`);
  const made = await writeImage(imageEntries(root, built), { name: NAME, tag, runs: heddleRuns(version) }, file);
  return { name: NAME, tag, ...made, file };
}

/** The commit, and a mark if the checkout differs from it. */
export function builtCommit(root: string): string {
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  return `${git('rev-parse', '--short=12', 'HEAD')}${git('status', '--porcelain') === '' ? '' : '-dirty'}`;
}

/** What a container of the image runs. */
export function heddleRuns(version: string): object {
  return {
    User: `${USER}:${USER}`,
    Env: ['PATH=/usr/local/bin', 'HEDDLE_DATA=/var/lib/heddle'],
    Entrypoint: ['/usr/local/bin/node', '/opt/heddle/docker/start.mjs'],
    Cmd: ['standalone'],
    WorkingDir: '/var/lib/heddle',
    ExposedPorts: { '8189/tcp': {} },
    Labels: { 'org.opencontainers.image.title': 'heddle', 'org.opencontainers.image.version': version },
  };
}
