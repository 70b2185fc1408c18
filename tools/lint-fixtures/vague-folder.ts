// linted as: libs/jobs/src/utils/retry-after.ts
// expects: heddle/no-vague-name
export const value = 1;
