import { expect, it } from 'vitest';
import { BackgroundLogger } from './background-logger.js';

it('logs an outage of the database as a warning that says what was tried, and a defect as an error', () => {
  const lines: unknown[] = [];
  const at = (level: string) => (facts: unknown, what: string) => void lines.push([level, what, facts]);
  const log = new BackgroundLogger({ info: at('info'), warn: at('warn'), error: at('error') } as never);
  const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });
  const defect = new TypeError('no');
  log.error('expired leases were not ended', refused);
  log.error('expired leases were not ended', defect);
  expect(lines).toEqual([
    ['warn', 'expired leases were not ended: the database is unreachable', { reason: String(refused) }],
    ['error', 'expired leases were not ended', { err: defect }],
  ]);
});
