import { failpoint, registerFailpoints } from '@heddle/platform-database';

/** Where a crash test may end the process: between each two steps of a task. */
export const PARTNER_PROXY_FAILPOINTS = [
  'proxy.task.opened',
  'proxy.task.reserved',
  'proxy.task.calling',
  'proxy.task.answered',
  'proxy.task.under-way',
  'proxy.task.ended',
  'proxy.task.settled',
] as const;

registerFailpoints(PARTNER_PROXY_FAILPOINTS);

export function proxyFailpoint(name: (typeof PARTNER_PROXY_FAILPOINTS)[number]): void {
  failpoint(name);
}
