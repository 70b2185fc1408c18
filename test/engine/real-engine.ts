/** The engine that `npm run test:engine` is pointed at, or null. */
export const ENGINE_URL: string | null = process.env['HEDDLE_TEST_ENGINE'] || null;

export const skipReason = 'needs HEDDLE_TEST_ENGINE, the address of a running engine';
