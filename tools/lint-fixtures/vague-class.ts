// linted as: libs/jobs/src/submit-job/jobs.ts
// expects: heddle/no-vague-name
export class JobsService {}
