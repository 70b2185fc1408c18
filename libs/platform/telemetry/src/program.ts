import { fileURLToPath } from 'node:url';

/** What is started as a process of its own; the build makes a file of each, with its packages (tools/bundle.ts). */
export type ProgramName =
  'gateway' | 'assets' | 'jobs' | 'validation' | 'logs' | 'worker' | 'standalone' | 'cluster' | 'cli' | 'demo';

const ROOT = new URL('../../../../', import.meta.url);

/**
 * For `node`, ahead of a process: stacks name lines of our sources. The flag `--enable-source-maps` would also read the maps of
 * every package that is loaded, which takes a tenth of a start.
 */
const SOURCE_MAPS = `--import=${new URL('./map-own-sources.js', import.meta.url).href}`;

/** What `node` is started with to run a program of this repository; the program's own arguments follow. */
export function program(name: ProgramName): [string, string] {
  return [SOURCE_MAPS, fileURLToPath(new URL(`dist/${name}.js`, ROOT))];
}
