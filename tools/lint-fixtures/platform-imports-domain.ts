// linted as: libs/platform/event-log/src/fixture.ts
// expects: @nx/enforce-module-boundaries
import { evolve } from '@heddle/jobs-domain';

export const used = evolve;
