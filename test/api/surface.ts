import { crc32 } from 'node:zlib';
import { SURFACES } from '@heddle/contracts-messages';
import type { Surface, SurfaceCapabilities } from '@heddle/contracts-messages';

const name = (process.env['HEDDLE_TEST_SURFACE'] ?? 'self-hosted') as Surface;

/** The surface that the API suite runs on, and what it does (HEDDLE_TEST_SURFACE). */
export const surface: SurfaceCapabilities & { readonly name: Surface } = { name, ...SURFACES[name] };

const keyBody = `hdl_${'a'.repeat(16)}_${'S'.repeat(43)}`;
/** The key of the first account on servers of the suite; undefined on a surface without keys. */
export const suiteKey =
  surface.credential === 'keys' ? `${keyBody}_${crc32(keyBody).toString(16).padStart(8, '0')}` : undefined;

/** Settings that make a server of the suite serve the surface. */
export const SURFACE_SETTINGS: Readonly<Record<string, string>> =
  suiteKey === undefined ? {} : { HEDDLE_SURFACE: name, HEDDLE_BOOTSTRAP_KEY: suiteKey };
