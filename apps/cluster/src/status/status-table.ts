import { relative } from 'node:path';
import type { ProcessStatus } from '../supervise/process-lives.js';
import { shownState } from './ask-health.js';
import type { Health } from './ask-health.js';
import type { ClusterState } from './cluster-state.js';

export interface ProcessRow extends ProcessStatus {
  readonly health: Health | null;
}

interface StatusView {
  readonly dataDir: string;
  readonly state: ClusterState;
  readonly rows: readonly ProcessRow[];
  /** Columns of the terminal. */
  readonly width: number;
  readonly now: number;
}

const TITLES = ['NAME', 'PID', 'STATE', 'PORT', 'CALLS', 'HEALTH', 'UPTIME', 'RESTARTS', 'LOG'];
const GAP = '  ';

/** One row per process, their problems, and where the rest of the cluster is. */
export function renderStatus({ dataDir, state, rows, width, now }: StatusView): string[] {
  const cells = rows.map((row) => cellsOf(row, now));
  const whole = table([TITLES, ...cells]);
  // Log paths are copied: show them whole, or on lines of their own.
  const fits = Math.max(...whole.map((line) => line.length)) <= width;
  const lines = fits ? whole : table([TITLES, ...cells].map((row) => row.slice(0, -1)));
  return [...lines, ...complaints(rows), '', ...facts({ dataDir, state, rows }, fits)];
}

function cellsOf(row: ProcessRow, now: number): string[] {
  const { place, pid, startedAt, restarts } = row;
  const ports = [place.port, place.callsPort, place.opsPort].map((port) => (port === null ? '-' : String(port)));
  const uptime = startedAt === null ? '-' : age(now - Date.parse(startedAt));
  return [
    place.name,
    pid === null ? '-' : String(pid),
    shownState(row, row.health),
    ...ports,
    uptime,
    String(restarts),
    fromHere(place.logFile),
  ];
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
}

function complaints(rows: readonly ProcessRow[]): string[] {
  return rows.flatMap(({ place, health }) => [
    ...(health?.waitingFor ?? []).map((reason) => `${place.name} waits for ${reason}`),
    ...(health?.degraded ?? []).map((reason) => `${place.name} is degraded by ${reason}`),
  ]);
}

/** The path relative to the current folder. */
function fromHere(path: string): string {
  const here = relative(process.cwd(), path);
  return here === '' || here.startsWith('..') ? path : here;
}

function facts(view: Pick<StatusView, 'dataDir' | 'state' | 'rows'>, logsShown: boolean): string[] {
  const dataDir = fromHere(view.dataDir);
  const { url, databaseUrl, brokers, pid } = view.state;
  const workUrls = urls(view.rows, 'jobs-', 'port');
  const assetsUrls = urls(view.rows, 'assets-', 'callsPort');
  const log = databaseUrl === null ? `--data ${dataDir}` : `--database-url ${databaseUrl}`;
  const known: (readonly [string, string])[] = [
    ['address', url ?? 'not ready yet'],
    ['launcher', `process ${pid}`],
    ['data', dataDir],
    ...(logsShown ? [] : [['logs', `${dataDir}/logs; --json has each path`] as const]),
    ['history', `npm run heddle -- history show JOB ${log}`],
    ...(brokers.length === 0 ? [] : [['brokers', `HEDDLE_KAFKA_BROKERS=${brokers.join(',')}`] as const]),
    ...(workUrls === '' ? [] : [['workers', `HEDDLE_WORK_URLS=${workUrls} HEDDLE_ASSETS_URLS=${assetsUrls}`] as const]),
  ];
  return known.map(([name, value]) => `${name.padEnd(10)}${value}`);
}

/** What a worker calls: the work port of each jobs replica, the calls port of each assets replica. */
function urls(rows: readonly ProcessRow[], prefix: string, port: 'port' | 'callsPort'): string {
  const places = rows.map(({ place }) => place).filter(({ name }) => name.startsWith(prefix));
  return places.flatMap((place) => (place[port] === null ? [] : [`http://127.0.0.1:${place[port]}`])).join(',');
}

/** `12 s`, `3 min`, `5 h`, `4 d` */
function age(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1_000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}
