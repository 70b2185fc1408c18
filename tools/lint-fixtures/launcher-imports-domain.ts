// linted as: apps/cluster/src/fixture.ts
// expects: @nx/enforce-module-boundaries
import { evolve } from '@heddle/jobs-domain';

export const used = evolve;
