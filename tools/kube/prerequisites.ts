// What a machine must have before anything is started on it.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface Prerequisite {
  /** What is missing, and how to get it. */
  readonly lacks: string;
  readonly isThere: () => Promise<boolean> | boolean;
}

const WAYS = ['/usr/sbin', '/sbin'];

/** The path of a program; null if there is none. */
export function programOnPath(name: string, path = process.env['PATH'] ?? ''): string | null {
  const folders = [...path.split(delimiter), ...WAYS];
  return folders.map((folder) => join(folder, name)).find((file) => existsSync(file)) ?? null;
}

export const needsProgram = (name: string, source: string): Prerequisite => ({
  lacks: `the program ${name}; ${source}`,
  isThere: () => programOnPath(name) !== null,
});

export const SIMULATED_PREREQUISITES: readonly Prerequisite[] = [
  { lacks: 'Linux', isThere: () => process.platform === 'linux' },
  needsProgram('openssl', 'install the package openssl'),
];

/** One line for each that is missing. */
export async function missing(prerequisites: readonly Prerequisite[]): Promise<string[]> {
  const checked = await Promise.all(
    prerequisites.map(async ({ lacks, isThere }) => ((await isThere()) ? [] : [lacks])),
  );
  return checked.flat();
}
