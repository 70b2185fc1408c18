// linted as: libs/gateway/src/fixture.spec.ts
// expects: heddle/no-pattern-in-match
import { expect } from 'vitest';

export const check = (refusal: unknown): void => expect(refusal).toMatchObject({ field: /^must be/ });
