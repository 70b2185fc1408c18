// linted as: libs/workflow/graph/src/fixture.ts
// expects: heddle/pure-domain
export const now = (): number => Date.now();
export const today = (): Date => new Date();
