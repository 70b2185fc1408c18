import { SURFACES } from '@heddle/contracts-messages';
import type { Surface, SurfaceCapabilities } from '@heddle/contracts-messages';

const name = (process.env['HEDDLE_TEST_SURFACE'] ?? 'self-hosted') as Surface;

/** The surface that the API suite runs on, and what it does (HEDDLE_TEST_SURFACE). */
export const surface: SurfaceCapabilities & { readonly name: Surface } = { name, ...SURFACES[name] };
