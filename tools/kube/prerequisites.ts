// What a machine must have before anything is started on it.
import { existsSync, readFileSync } from 'node:fs';
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

/** Those of a real node, beside what its servers and tools ask for when they are installed. */
export const NODE_PREREQUISITES: readonly Prerequisite[] = [
  ...SIMULATED_PREREQUISITES,
  { lacks: 'root; run it as root, or with sudo', isThere: () => process.getuid?.() === 0 },
  needsProgram('runc', 'install the package runc'),
  needsProgram('nft', 'install the package nftables'),
  needsProgram('ip', 'install the package iproute2'),
  needsProgram('go', 'install Go 1.25 or newer'),
  { lacks: 'Java 17; install a JDK', isThere: hasJava },
  { lacks: 'the file system overlay; use a kernel with overlayfs', isThere: () => kernelHas('overlay') },
];

async function hasJava(): Promise<boolean> {
  const { requireJava } = await import('@heddle/local-servers');
  return await requireJava().then(
    () => true,
    () => false,
  );
}

const kernelHas = (fileSystem: string): boolean =>
  readFileSync('/proc/filesystems', 'utf8').split(/\s+/).includes(fileSystem);

/** One line for each that is missing. */
export async function missing(prerequisites: readonly Prerequisite[]): Promise<string[]> {
  const checked = await Promise.all(
    prerequisites.map(async ({ lacks, isThere }) => ((await isThere()) ? [] : [lacks])),
  );
  return checked.flat();
}
