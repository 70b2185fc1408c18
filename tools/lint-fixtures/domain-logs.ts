// linted as: libs/jobs/domain/src/fixture.ts
// expects: heddle/pure-domain
export const say = (): void => console.log('submitted');
