import { createSecretKey, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Node's cryptography takes bytes, too, and then costs six times as much. */
export interface FileKey {
  readonly id: string;
  readonly secret: KeyObject;
}

/** How many bytes a key may have. */
interface KeyLength {
  readonly min: number;
  readonly max: number;
}

const LINE = /^([\w.-]{1,64}):([A-Za-z0-9+/]+={0,2})$/;
const MADE_BYTES = 32;

/**
 * The keys of a file of `id:base64` lines; the last one is the newest. @throws an Error that names the line, never its
 * secret
 */
export async function readKeyFile(file: string, length: KeyLength): Promise<readonly FileKey[]> {
  const text = await readFile(file, 'utf8');
  const keys: FileKey[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const [, id, base64] = LINE.exec(line.trim()) ?? [];
    const secret = Buffer.from(base64 ?? '', 'base64');
    if (id === undefined) throw new Error(`line ${at + 1} is not id:base64`);
    if (secret.length < length.min || secret.length > length.max)
      throw new Error(`line ${at + 1} has ${secret.length} bytes, expected ${expected(length)}`);
    if (keys.some((key) => key.id === id)) throw new Error(`line ${at + 1} has the id of an earlier line, ${id}`);
    keys.push({ id, secret: createSecretKey(secret) });
  }
  if (keys.length === 0) throw new Error('it has no line id:base64');
  return keys;
}

/** As `readKeyFile`; a missing file is made first, with one key and readable by its owner alone. */
export async function openKeyFile(file: string, length: KeyLength): Promise<readonly FileKey[]> {
  const missing = await readFile(file).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  );
  if (missing) await makeFile(file);
  return await readKeyFile(file, length);
}

function expected({ min, max }: KeyLength): string {
  return min === max ? String(min) : `${min} or more`;
}

/** Complete under its name or not there, and never replaced: another process may make it at the same time. */
async function makeFile(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(`${randomBytes(4).toString('hex')}:${randomBytes(MADE_BYTES).toString('base64')}\n`);
    await handle.sync();
    await handle.close();
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await handle.close().catch(() => undefined);
    await unlink(draft);
  }
}
