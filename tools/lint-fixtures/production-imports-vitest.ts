// linted as: libs/platform/blob-store/src/fixture.ts
// expects: @nx/enforce-module-boundaries
import { describe } from 'vitest';

export const used = describe;
