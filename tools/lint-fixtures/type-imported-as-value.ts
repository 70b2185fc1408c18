// expects: @typescript-eslint/consistent-type-imports
import { Stats } from 'node:fs';

export type Seen = Stats;
