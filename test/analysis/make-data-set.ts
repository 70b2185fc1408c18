// `node test/analysis/make-data-set.ts FOLDER`: runs some 300 jobs on the built-in engine and exports their log, the data
// of docs/analysis. It takes three minutes, as the times in the log are those of real work.
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { program } from '@heddle/platform-telemetry/program';
import { HeddleClient } from '@heddle/testing-api';
import type { Graph } from '@heddle/testing-api';
import { startStandalone } from '@heddle/testing-standalone';
import type { Standalone } from '@heddle/testing-standalone';
import { caption, crashing, Dice, faulty, pair, poster, render, unreadable } from './graphs.ts';

const SETTINGS = {
  HEDDLE_TEST_NODES: '1',
  HEDDLE_WORKERS: '2',
  HEDDLE_LEASE_S: '4',
  HEDDLE_MAX_QUEUE_WAIT_S: '12',
  HEDDLE_MAX_ATTEMPTS: '2',
  HEDDLE_DRAIN_S: '0.2',
};
const TEAMS = ['atlas', 'borealis', 'cirrus'] as const;

interface DataSetPlan {
  /** Jobs of the two calm times; the busy time has twice as many. */
  readonly calm: number;
}

/** Runs the plan on a new Heddle and exports its log to `out`. */
async function makeDataSet(out: string, { calm }: DataSetPlan, say: (line: string) => void): Promise<void> {
  const dice = new Dice(17);
  const first = await startStandalone({ env: SETTINGS });
  const { dataDir } = first;
  let service = first;
  try {
    say(`calm: ${calm} jobs, each alone`);
    await calmTime(await Session.on(service), dice, calm);
    say('busy: more jobs than two workers can do, some canceled, some too late');
    await busyTime(await Session.on(service), dice, calm * 2);
    say('a crash of the service, and a stop that hands jobs back');
    const crashed = await Session.on(service);
    for (let n = 0; n < 4; n++) await crashed.submit(render(dice, 3), 'cirrus');
    await crashed.running(2);
    await service.kill9();
    service = await startStandalone({ env: SETTINGS, dataDir });
    const stopped = await Session.on(service);
    await stopped.allEnded();
    for (let n = 0; n < 4; n++) await stopped.submit(render(dice, 3), 'atlas');
    await stopped.running(2);
    await service.terminate();
    service = await startStandalone({ env: SETTINGS, dataDir });
    await (await Session.on(service)).allEnded();
    say(`calm again: ${calm} jobs`);
    await calmTime(await Session.on(service), dice, calm);
    await numbered(dataDir);
    heddle(['history', 'export', '--data', dataDir, '--out', out]);
  } finally {
    await service.stop();
    // The first one made the folder, and removes it.
    if (service !== first) await first.stop();
  }
}

/** Jobs of one running service. */
class Session {
  readonly #client: HeddleClient;
  readonly ids: string[] = [];

  private constructor(client: HeddleClient) {
    this.#client = client;
  }

  static async on(service: Standalone): Promise<Session> {
    return new Session(await HeddleClient.connect(service.url));
  }

  async submit(graph: Graph, team: (typeof TEAMS)[number]): Promise<string> {
    const { id } = await this.#client.submitted(graph, { metadata: { team } });
    this.ids.push(id);
    return id;
  }

  async brokenPicture(): Promise<string> {
    const bytes = Buffer.from('this is not a picture');
    return (await this.#client.uploaded({ bytes, content_type: 'image/png', file_path: 'broken.png' })).id;
  }

  async cancel(id: string): Promise<void> {
    await this.#client.cancel(id);
  }

  async running(jobs: number): Promise<void> {
    while ((await this.#client.jobPage('?status=running')).jobs.length < jobs) await delay(50);
  }

  async allEnded(): Promise<void> {
    for (const status of ['queued', 'running', 'canceling'])
      while ((await this.#client.jobPage(`?status=${status}`)).jobs.length > 0) await delay(100);
  }
}

async function calmTime(session: Session, dice: Dice, jobs: number): Promise<void> {
  for (let n = 0; n < jobs; n++) {
    const graph = dice.of([poster, poster, pair, caption])(dice);
    await session.submit(graph, dice.of(TEAMS));
    await delay(200 + dice.below(300));
  }
  await session.allEnded();
}

async function busyTime(session: Session, dice: Dice, jobs: number): Promise<void> {
  const broken = await session.brokenPicture();
  for (let n = 0; n < jobs; n++) {
    const kind = dice.below(10);
    const graph =
      kind < 4
        ? render(dice, 0.2 + dice.below(12) / 10)
        : kind < 7
          ? pair(dice)
          : ([poster(dice), faulty(dice), n % 2 === 0 ? unreadable(broken) : crashing(dice)][kind - 7] as Graph);
    // One team asks for most of it.
    const id = await session.submit(graph, dice.below(3) === 0 ? dice.of(TEAMS) : 'borealis');
    if (dice.below(12) === 0) await session.cancel(dice.below(2) === 0 ? id : dice.of(session.ids));
    await delay(dice.below(220));
  }
  await session.allEnded();
}

/** The last events get their numbers a moment after they are stored. */
async function numbered(dataDir: string): Promise<void> {
  for (let before = -1; ; await delay(500)) {
    const { last_seq: seq } = JSON.parse(
      heddle(['history', 'verify', '--no-fold', '--json', '--data', dataDir]).trim().split('\n').at(-1)!,
    ) as { last_seq: number };
    if (seq === before) return;
    before = seq;
  }
}

function heddle(words: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...program('cli'), ...words], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`heddle ${words.join(' ')} ended with ${status}:\n${stderr}`);
  return stdout;
}

const [, started, out] = process.argv;
if (started !== undefined && resolve(started) === import.meta.filename) {
  if (out === undefined) {
    process.stderr.write('node test/analysis/make-data-set.ts FOLDER\n');
    process.exitCode = 2;
  } else await makeDataSet(out, { calm: 70 }, (line) => process.stderr.write(`${line}\n`));
}
