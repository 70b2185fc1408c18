import { readFileSync } from 'node:fs';

/** The version of this Heddle, from the root package.json. */
export function heddleVersion(): string {
  const manifest = readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}

/** The commit that an image was made of; `unknown` outside of an image. */
export function heddleCommit(): string {
  try {
    return readFileSync(new URL('../../../../commit', import.meta.url), 'utf8').trim();
  } catch {
    return 'unknown';
  }
}
