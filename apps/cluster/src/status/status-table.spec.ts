import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ProcessStatus } from '../supervise/process-lives.js';
import type { Health } from './ask-health.js';
import type { ClusterState } from './cluster-state.js';
import { renderStatus } from './status-table.js';

const NOW = Date.parse('2026-01-01T01:00:00Z');
const HEALTHY: Health = { ready: true, waitingFor: [], degraded: [] };

function status(name: string, more: Partial<ProcessStatus> = {}): ProcessStatus {
  const logFile = join(process.cwd(), `.heddle/cluster/logs/${name}.log`);
  const place = { name, logFile, port: null, callsPort: 28290, opsPort: 29189 };
  return { place, state: 'running', pid: process.pid, startedAt: '2026-01-01T00:59:30Z', restarts: 0, ...more };
}

function rendered(
  rows: (ProcessStatus & { health: Health | null })[],
  width: number,
  state: Partial<ClusterState> = {},
) {
  const known: ClusterState = {
    pid: 7,
    url: 'http://127.0.0.1:8189',
    startedAt: '2026-01-01T00:00:00Z',
    databaseUrl: null,
    brokers: ['127.0.0.1:9092'],
    s3Endpoint: null,
    processes: rows,
    ended: null,
    ...state,
  };
  return renderStatus({ dataDir: join(process.cwd(), '.heddle/cluster'), state: known, rows, width, now: NOW });
}

describe('the table of processes', () => {
  it('has state, ports, uptime, restarts and log of each, and what is needed to read the log of jobs', () => {
    const lines = rendered([{ ...status('jobs-1', { restarts: 2 }), health: HEALTHY }], 200);
    expect(lines[0]).toMatch(/^NAME +PID +STATE +PORT +CALLS +HEALTH +UPTIME +RESTARTS +LOG$/);
    expect(lines[1]).toMatch(/^jobs-1 +\d+ +ready +- +28290 +29189 +30 s +2 +\.heddle\/cluster\/logs\/jobs-1\.log$/);
    expect(lines).toContain('history   npm run heddle -- history show JOB --data .heddle/cluster');
    expect(lines).toContain('brokers   HEDDLE_KAFKA_BROKERS=127.0.0.1:9092');
  });

  it('prints what a worker calls: the work ports of jobs and the calls ports of assets', () => {
    const [jobs, assets] = [status('jobs-1'), status('assets-1')];
    const lines = rendered(
      [
        { ...jobs, place: { ...jobs.place, port: 28390 }, health: HEALTHY },
        { ...assets, health: HEALTHY },
      ],
      200,
    );
    expect(lines).toContain(
      'workers   HEDDLE_WORK_URLS=http://127.0.0.1:28390 HEDDLE_ASSETS_URLS=http://127.0.0.1:28290',
    );
  });

  it('names the database of somebody else without its password', () => {
    const lines = rendered([], 200, { databaseUrl: 'postgres://heddle@db/heddle' });
    expect(lines).toContain('history   npm run heddle -- history show JOB --database-url postgres://heddle@db/heddle');
  });

  it('fits a terminal of 80 columns: logs are named below it', () => {
    const lines = rendered([{ ...status('validation-1'), health: HEALTHY }], 80);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(lines).toContain('logs      .heddle/cluster/logs; --json has each path');
  });

  it.each([
    [{ ...HEALTHY, degraded: ['bus: away'] }, {}, 'degraded', 'jobs-1 is degraded by bus: away'],
    [{ ...HEALTHY, ready: false, waitingFor: ['database: away'] }, {}, 'not ready', 'jobs-1 waits for database: away'],
    [null, {}, 'no answer', null],
    [null, { state: 'restarting', pid: null, startedAt: null }, 'restarting', null],
    // The launcher has not noticed yet.
    [HEALTHY, { pid: 2 ** 22 + 1 }, 'restarting', null],
  ] as const)('says of a process with health %j and %j that it is %s', (health, more, shown, complaint) => {
    const lines = rendered([{ ...status('jobs-1', more), health }], 200);
    expect(lines[1]).toContain(` ${shown} `);
    if (complaint !== null) expect(lines).toContain(complaint);
  });
});
