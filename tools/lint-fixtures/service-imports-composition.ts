// linted as: libs/jobs/src/fixture.ts
// expects: @nx/enforce-module-boundaries
import { main } from '@heddle/standalone';

export const used = main;
