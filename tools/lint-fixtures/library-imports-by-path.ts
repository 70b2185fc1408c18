// linted as: libs/jobs/src/fixture.ts
// expects: @nx/enforce-module-boundaries, heddle/no-deep-import
import { evolve } from '../domain/src/index.js';

export const used = evolve;
