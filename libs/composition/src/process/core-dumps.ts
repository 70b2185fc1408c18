import { writeFileSync } from 'node:fs';

/**
 * From now on a core dump of this process, or of one that it starts, holds no memory: credentials may be there. A limit
 * of the size would need a call that Node does not have.
 */
export function keepMemoryOutOfCoreDumps(): void {
  try {
    writeFileSync('/proc/self/coredump_filter', '0');
  } catch {
    // Not Linux, or without /proc: the operator's limits hold.
  }
}
