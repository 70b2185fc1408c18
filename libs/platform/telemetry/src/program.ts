import { fileURLToPath } from 'node:url';

/**
 * Programs that run as separate processes; the build makes a file of each, including its packages (tools/bundle.ts).
 */
export type ProgramName =
  | 'gateway'
  | 'assets'
  | 'jobs'
  | 'validation'
  | 'logs'
  | 'registry'
  | 'worker'
  | 'standalone'
  | 'cluster'
  | 'cli'
  | 'demo';

const ROOT = new URL('../../../../', import.meta.url);

/**
 * Node flag that maps stack traces to our sources. `--enable-source-maps` would also read the maps of every loaded
 * package, a tenth of the start time.
 */
const SOURCE_MAPS = `--import=${new URL('./map-own-sources.js', import.meta.url).href}`;

/** Arguments of `node` that run a program of this repository; the program's own arguments follow. */
export function program(name: ProgramName): [string, string] {
  return [SOURCE_MAPS, fileURLToPath(new URL(`dist/${name}.js`, ROOT))];
}
