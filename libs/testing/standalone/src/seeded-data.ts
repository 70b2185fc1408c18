import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = resolve(fileURLToPath(import.meta.url), '../../../../..');
const NAME = 'heddle-test-seed-';
const SEEDS_KEPT_MS = 24 * 3_600_000;
let digest: string | undefined;

/**
 * A new data directory as left by a clean stop of this build: the work of a first start, mainly creating a database, is
 * done once per build. `make` does it in the given folder.
 */
export async function newDataDirectory(make: (dataDir: string) => Promise<unknown>): Promise<string> {
  const seed = join(tmpdir(), `${NAME}${process.getuid?.() ?? 'user'}-${(digest ??= digestOfBuild())}`);
  if (!existsSync(seed)) await makeSeed(seed, make);
  const dataDir = emptyFolder('heddle-test-');
  execFileSync('cp', ['-a', '--reflink=auto', `${seed}/.`, dataDir]);
  // Each finds a port of its own.
  rmSync(join(dataDir, 'postgres', 'port'), { force: true });
  return dataDir;
}

/** As root, the database's own user must be able to enter; otherwise its files go elsewhere and outlive this folder. */
function emptyFolder(prefix: string): string {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  chmodSync(folder, 0o711);
  return folder;
}

/** Appears atomically; of several concurrent ones, one is kept. */
async function makeSeed(seed: string, make: (dataDir: string) => Promise<unknown>): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    const old = join(tmpdir(), name);
    const age = name.startsWith(NAME)
      ? Date.now() - (statSync(old, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
      : 0;
    if (age > SEEDS_KEPT_MS) rmSync(old, { recursive: true, force: true });
  }
  const draft = emptyFolder(`${NAME}draft-${randomBytes(3).toString('hex')}`);
  await make(draft);
  try {
    renameSync(draft, seed);
  } catch (error) {
    if (!existsSync(seed)) throw error;
    rmSync(draft, { recursive: true, force: true });
  }
}

/** A digest of the compiler's build info in each package: a new build makes a new seed. */
function digestOfBuild(): string {
  const below = (folder: string): string[] => readdirSync(folder).map((name) => join(folder, name));
  const folders = [...below(join(ROOT, 'apps')), ...below(join(ROOT, 'libs')).flatMap((lib) => [lib, ...below(lib)])];
  const hash = createHash('sha256');
  for (const note of folders.map((folder) => join(folder, 'dist', '.tsbuildinfo'))) {
    const { size, mtimeMs } = statSync(note, { throwIfNoEntry: false }) ?? {};
    if (size !== undefined) hash.update(`${note} ${size} ${mtimeMs}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}
