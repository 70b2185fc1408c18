import { existsSync } from 'node:fs';

/**
 * A key is written once. Asked while the own temporary name is held: nobody else can finish the key from then on. Throws
 * EEXIST, as the system does where a name is taken. One look at names that the system has in memory.
 */
export function refuseFinished(finished: string): void {
  if (existsSync(finished)) throw Object.assign(new Error(`${finished} is there already`), { code: 'EEXIST' });
}
