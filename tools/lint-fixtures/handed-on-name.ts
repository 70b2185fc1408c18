// linted as: libs/jobs/src/submit-job/fixture.ts
// expects: heddle/no-reexport
export { JobsModule } from '../jobs.module.js';
