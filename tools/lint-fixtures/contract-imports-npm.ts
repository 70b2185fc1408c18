// linted as: libs/contracts/api-v2/src/fixture.ts
// expects: @nx/enforce-module-boundaries
import { Injectable } from '@nestjs/common';

export const used = Injectable;
