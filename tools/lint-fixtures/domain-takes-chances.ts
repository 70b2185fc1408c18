// linted as: libs/assets/domain/src/fixture.ts
// expects: heddle/pure-domain
export const chance = (): number => Math.random();
