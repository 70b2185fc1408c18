// linted as: libs/jobs/src/submit-job/helpers.ts
// expects: heddle/no-vague-name
export const value = 1;
