export { Random, seeded } from './random.js';
export { fixedSeed, freshSeed } from './seed.js';
