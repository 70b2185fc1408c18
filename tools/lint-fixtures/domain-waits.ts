// linted as: libs/jobs/domain/src/fixture.ts
// expects: heddle/pure-domain
export async function decide(): Promise<void> {}
