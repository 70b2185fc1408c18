import { readFileSync } from 'node:fs';

/** The version of this Heddle, from the root package.json. */
export function heddleVersion(): string {
  const manifest = readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
