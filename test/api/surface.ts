import { SURFACES } from '@heddle/contracts-messages';
import type { Surface, SurfaceCapabilities } from '@heddle/contracts-messages';
import { KEY_FOR_TESTS } from '../security/keyed-heddle.js';

const name = (process.env['HEDDLE_TEST_SURFACE'] ?? 'self-hosted') as Surface;

/** The surface that the API suite runs on, and what it does (HEDDLE_TEST_SURFACE). */
export const surface: SurfaceCapabilities & { readonly name: Surface } = { name, ...SURFACES[name] };

/** Signed URLs lead to the object store instead of the API. What the store answers is its own. */
export const overStore = surface.content === 'redirect' && process.env['HEDDLE_TEST_STORE'] === 's3';

/** The key of the first account on servers of the suite; undefined on a surface without keys. */
export const suiteKey = surface.credential === 'keys' ? KEY_FOR_TESTS : undefined;

/** Settings that make a server of the suite serve the surface. */
export const SURFACE_SETTINGS: Readonly<Record<string, string>> =
  suiteKey === undefined ? {} : { HEDDLE_SURFACE: name, HEDDLE_BOOTSTRAP_KEY: suiteKey };
