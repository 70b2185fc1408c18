// linted as: libs/jobs/src/fixture.ts
// expects: heddle/no-forward-ref
import { forwardRef } from '@nestjs/common';

export const used = forwardRef;
