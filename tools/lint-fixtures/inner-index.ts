// linted as: libs/jobs/src/submit-job/index.ts
// expects: heddle/no-inner-index
export const value = 1;
