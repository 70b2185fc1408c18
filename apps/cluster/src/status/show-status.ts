import { join } from 'node:path';
import { askHealth, shownState } from './ask-health.js';

import { readState } from './cluster-state.js';
import type { ClusterState } from './cluster-state.js';
import { renderStatus } from './status-table.js';
import type { ProcessRow } from './status-table.js';

/** Prints what runs in the folder; 0: a cluster runs, 1: none does. */
export async function showStatus(dataDir: string, json: boolean): Promise<number> {
  const { running, state } = readState(dataDir);
  if (!running || state === null) {
    const reason = running ? 'its launcher is just starting' : whyNot(dataDir, state);
    if (json) process.stdout.write(`${JSON.stringify({ running, data: dataDir, reason, processes: [] })}\n`);
    else process.stderr.write(`heddle: ${reason}\n`);
    return running ? 0 : 1;
  }
  const rows = await Promise.all(
    state.processes.map(async (status) => ({ ...status, health: await askHealth(status) })),
  );
  if (json) process.stdout.write(`${JSON.stringify(wire(dataDir, state, rows))}\n`);
  else {
    const width = process.stdout.isTTY ? process.stdout.columns : Number.MAX_SAFE_INTEGER;
    for (const line of renderStatus({ dataDir, state, rows, width, now: Date.now() }))
      process.stdout.write(`${line}\n`);
  }
  return 0;
}

function whyNot(dataDir: string, state: ClusterState | null): string {
  const none = `no cluster runs in ${dataDir}`;
  if (state === null) return none;
  if (state.ended) return `${none}: ${state.ended}`;
  return `${none}: its launcher (process ${state.pid}) was killed; npm run cluster -- --down stops the processes that it left behind`;
}

function wire(dataDir: string, state: ClusterState, rows: readonly ProcessRow[]): object {
  return {
    running: true,
    data: dataDir,
    pid: state.pid,
    url: state.url,
    started_at: state.startedAt,
    database_url: state.databaseUrl,
    brokers: state.brokers,
    s3_endpoint: state.s3Endpoint,
    launcher_log: join(dataDir, 'launcher.log'),
    processes: rows.map((row) => ({
      name: row.place.name,
      state: shownState(row, row.health),
      pid: row.pid,
      port: row.place.port,
      calls_port: row.place.callsPort,
      health_port: row.place.opsPort,
      log: row.place.logFile,
      started_at: row.startedAt,
      restarts: row.restarts,
      waiting_for: row.health?.waitingFor ?? [],
      degraded: row.health?.degraded ?? [],
    })),
  };
}
