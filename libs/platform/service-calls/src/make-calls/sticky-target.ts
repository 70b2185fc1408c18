import type { CallTarget } from './call-target.js';

/** Keeps a caller with the target that served it last, for as long as that one answers. */
export class StickyTarget {
  current: CallTarget | null = null;
}
