import { failpoint, registerFailpoints } from '@heddle/platform-database';

/** Where a crash test may end the process: round the commit that the end of a job waits for. */
export const LOGS_FAILPOINTS = ['logs.capture.before-statement', 'logs.capture.after-commit'] as const;

registerFailpoints(LOGS_FAILPOINTS);

export function logsFailpoint(name: (typeof LOGS_FAILPOINTS)[number]): void {
  failpoint(name);
}
