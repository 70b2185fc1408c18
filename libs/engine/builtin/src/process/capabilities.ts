import { readFileSync } from 'node:fs';

/** What root needs for processes of another user: to become it, give it files, read and remove its files, and end it. Bits of linux/capability.h. */
const NEEDED = { CAP_CHOWN: 0, CAP_DAC_OVERRIDE: 1, CAP_KILL: 5, CAP_SETGID: 6, CAP_SETUID: 7 };

/** The names of the needed capabilities that this process lacks; none if the system does not report them. */
export function missingCapabilities(status: string = ownStatus()): readonly string[] {
  const held = /^CapEff:\s*([0-9a-f]+)$/m.exec(status)?.[1];
  if (held === undefined) return [];
  return Object.entries(NEEDED).flatMap(([name, bit]) => ((BigInt(`0x${held}`) >> BigInt(bit)) & 1n ? [] : [name]));
}

function ownStatus(): string {
  try {
    return readFileSync('/proc/self/status', 'utf8');
  } catch {
    return '';
  }
}
