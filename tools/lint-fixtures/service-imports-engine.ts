// linted as: libs/worker/src/fixture.ts
// expects: @nx/enforce-module-boundaries
import { BuiltinEngine } from '@heddle/engine-builtin';

export const used = BuiltinEngine;
