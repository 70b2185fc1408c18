// linted as: libs/jobs/src/fixture.ts
// expects: heddle/no-deep-import
import { evolve } from '@heddle/jobs-domain/dist/job.js';

export const used = evolve;
