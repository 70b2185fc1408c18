import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KubePlaces } from '../kube-places.ts';

export interface StoreKeys {
  readonly accessKey: string;
  readonly secretKey: string;
}

/** Keys of the object store, the same ones for as long as its objects are kept. */
export function keptKeys({ servers }: KubePlaces): StoreKeys {
  const file = join(servers, 's3-keys.json');
  if (!existsSync(file)) {
    const made: StoreKeys = {
      accessKey: randomBytes(10).toString('hex'),
      secretKey: randomBytes(20).toString('hex'),
    };
    writeFileSync(file, JSON.stringify(made), { mode: 0o600 });
  }
  return JSON.parse(readFileSync(file, 'utf8')) as StoreKeys;
}
