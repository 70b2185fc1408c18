/** Repeats the random choices of a run whose title or failure printed its seed. */
const given = process.env['HEDDLE_TEST_SEED'];

/** For unit specs: they give the same result on every run. */
export const fixedSeed = Number(given ?? 20_261_121);

/** For specs with real servers: each run tries other choices. One number for all that a spec file imports. */
export const freshSeed = Number(given ?? Date.now() % 2 ** 31);
