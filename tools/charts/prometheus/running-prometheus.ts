import { spawn } from 'node:child_process';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '@heddle/platform-database';
import { stringify } from 'yaml';
import { askPrometheus } from './ask-prometheus.ts';

const READY_WITHIN_MS = 60_000;
const TARGETS = 'targets.json';

export interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

interface RuleState {
  readonly name: string;
  readonly health: string;
  readonly lastError?: string;
}

export interface PrometheusPlan {
  readonly program: string;
  /** Health ports by the names of their pods. */
  readonly pods: Readonly<Record<string, string>>;
  readonly intervalS: number;
  /** The `spec` of a PrometheusRule. */
  readonly rules: object;
  /** Folder for its files; default: the one for temporary files. */
  readonly place?: string;
}

/** A real Prometheus, of a program on this machine, that scrapes processes and evaluates rules. */
export class RunningPrometheus {
  readonly url: string;
  readonly pid: number | undefined;
  readonly #folder: string;
  readonly #end: () => Promise<void>;

  private constructor(
    url: string,
    { pid, folder }: { pid: number | undefined; folder: string },
    end: () => Promise<void>,
  ) {
    this.url = url;
    this.pid = pid;
    this.#folder = folder;
    this.#end = end;
  }

  static async start({
    program,
    pods,
    intervalS,
    rules,
    place = tmpdir(),
  }: PrometheusPlan): Promise<RunningPrometheus> {
    const folder = await mkdtemp(join(place, 'heddle-prometheus-'));
    const port = await freePort();
    const interval = `${intervalS}s`;
    const config = {
      global: { scrape_interval: interval, evaluation_interval: interval },
      rule_files: ['rules.yaml'],
      scrape_configs: [{ job_name: 'heddle', file_sd_configs: [{ files: [TARGETS] }] }],
    };
    await writeFile(join(folder, 'prometheus.yaml'), stringify(config));
    await writeFile(join(folder, 'rules.yaml'), stringify(rules));
    await writeTargets(folder, pods);
    const child = spawn(
      program,
      [
        `--config.file=${join(folder, 'prometheus.yaml')}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
        '--log.level=error',
      ],
      { stdio: 'inherit' },
    );
    const killNow = (): void => void child.kill('SIGKILL');
    process.once('exit', killNow);
    const ended = new Promise<void>((done) => child.once('close', () => done()));
    const prometheus = new RunningPrometheus(`http://127.0.0.1:${port}`, { pid: child.pid, folder }, async () => {
      process.off('exit', killNow);
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    });
    await prometheus.#ready();
    return prometheus;
  }

  /** Scrapes these pods from now on, and no others. */
  async scrape(pods: PrometheusPlan['pods']): Promise<void> {
    await writeTargets(this.#folder, pods);
  }

  async query(expr: string): Promise<readonly Sample[]> {
    return (
      await askPrometheus<{ result: Sample[] }>(this.url, `query?${new URLSearchParams({ query: expr }).toString()}`)
    ).result;
  }

  /** Waits for a series. */
  async until(expr: string): Promise<void> {
    for (const end = performance.now() + READY_WITHIN_MS; performance.now() < end; await delay(200))
      if ((await this.query(expr)).length > 0) return;
    throw new Error(`no series: ${expr}`);
  }

  async rules(): Promise<readonly RuleState[]> {
    return (await askPrometheus<{ groups: { rules: RuleState[] }[] }>(this.url, 'rules')).groups.flatMap(
      ({ rules }) => rules,
    );
  }

  /** Names of all metrics that a target has declared. */
  async metrics(): Promise<ReadonlySet<string>> {
    return new Set(Object.keys(await askPrometheus<Record<string, unknown>>(this.url, 'metadata')));
  }

  async stop(): Promise<void> {
    await this.#end();
  }

  async #ready(): Promise<void> {
    for (const until = performance.now() + READY_WITHIN_MS; performance.now() < until; await delay(100)) {
      const answer = await fetch(`${this.url}/-/ready`).catch(() => null);
      if (answer?.ok === true) return;
    }
    throw new Error('Prometheus did not become ready');
  }
}

/** Prometheus reads the file when it changes: it must never see half of it. */
async function writeTargets(folder: string, pods: PrometheusPlan['pods']): Promise<void> {
  const targets = Object.entries(pods).map(([pod, url]) => ({ targets: [new URL(url).host], labels: { pod } }));
  const draft = join(folder, `${TARGETS}.new`);
  await writeFile(draft, JSON.stringify(targets));
  await rename(draft, join(folder, TARGETS));
}
