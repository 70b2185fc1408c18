// linted as: apps/standalone/src/fixture.ts
// expects: @nx/enforce-module-boundaries
import { startStandalone } from '@heddle/testing-standalone';

export const used = startStandalone;
