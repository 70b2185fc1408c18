// `npm run images`: the image without docker. `--to FOLDER` lays its files down instead, for docker/heddle.Dockerfile.
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeImage } from './image-archive.ts';
import { imageEntries, type ImageEntry } from './image-entries.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const NAME = 'heddle';

async function main(words: readonly string[]): Promise<number> {
  const [word, folder] = words;
  if (word === '--to' && folder !== undefined) {
    layDown(imageEntries(ROOT, commit()), folder);
    return 0;
  }
  if (word !== undefined && word !== '--json') {
    process.stderr.write(`heddle: unknown option ${word}; there are --json and --to FOLDER\n`);
    return 2;
  }
  const version = (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version;
  const built = commit();
  const tag = `${version}-${built}`;
  const images = join(ROOT, '.cache', 'images');
  mkdirSync(images, { recursive: true });
  const file = join(images, `${NAME}-${tag}.tar`);
  const made = await writeImage(imageEntries(ROOT, built), { name: NAME, tag, version }, file);
  const shown = relative(ROOT, file);
  process.stdout.write(
    word === '--json'
      ? `${JSON.stringify({ name: NAME, tag, ...made, file: shown })}\n`
      : `image ${NAME}:${tag} ${made.digest} ${made.bytes} ${shown}\n`,
  );
  return 0;
}

/** The commit, and a mark if the checkout differs from it. */
function commit(): string {
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
  return `${git('rev-parse', '--short=12', 'HEAD')}${git('status', '--porcelain') === '' ? '' : '-dirty'}`;
}

function layDown(entries: readonly ImageEntry[], folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const entry of entries) {
    const path = join(folder, entry.path);
    if (entry.type === 'link') symlinkSync(entry.target, path);
    else if (entry.type === 'file') writeFileSync(path, entry.content());
    else mkdirSync(path, { recursive: true });
    if (entry.type === 'folder' && entry.owner !== 0) chownSync(path, entry.owner, entry.owner);
    if (entry.type !== 'link') chmodSync(path, entry.mode);
  }
}

process.exitCode = await main(process.argv.slice(2));
