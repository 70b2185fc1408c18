import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { kafkaConnection, readSettings, desiredTopics } from '@heddle/composition';
import { JOB_EVENTS_TOPIC } from '@heddle/contracts-messages';
import { clockOffsetSql } from '@heddle/platform-database';
import { ensureTopics } from '@heddle/platform-message-bus/kafka';
import { program } from '@heddle/platform-telemetry/program';
import { eventually } from '@heddle/testing-api';
import { Kafka, logLevel } from 'kafkajs';
import { BACK_WITHIN_MS, hold, LOSS_OF_TOPIC } from './fault.ts';
import type { Arena, Fault } from './fault.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Faults of the servers: brokers, PostgreSQL with its disk and clock, S3 */
export const SERVER_FAULTS: readonly Fault[] = [
  { name: 'kill broker', family: 'broker', victim: 'broker', alone: true, strike: killBroker },
  { name: 'freeze broker', family: 'broker', victim: 'broker', alone: true, strike: freezeBroker },
  { name: LOSS_OF_TOPIC, family: 'broker', victim: 'broker', alone: true, strike: deleteTopic },
  { name: 'restart database at once', family: 'database', victim: 'database', strike: restartDatabase },
  { name: 'kill s3', family: 's3', victim: 's3', strike: killS3 },
  { name: 'fill disk of database', family: 'disk', victim: 'database', alone: true, strike: fillDisk },
  { name: 'clock a minute ahead', family: 'clock', victim: 'clock', strike: (arena) => jump(arena, MINUTE_MS) },
  { name: 'clock a minute back', family: 'clock', victim: 'clock', strike: (arena) => jump(arena, -MINUTE_MS) },
  { name: 'clock an hour ahead', family: 'clock', victim: 'clock', strike: (arena) => jump(arena, HOUR_MS) },
  { name: 'clock an hour back', family: 'clock', victim: 'clock', strike: (arena) => jump(arena, -HOUR_MS) },
];

async function killBroker(arena: Arena): Promise<void> {
  const { kafka, brokers } = arena.cluster;
  const victim = arena.random.below(brokers.length);
  await kafka.kill(victim);
  await hold(arena, 500, 4_000);
  await kafka.start(victim);
}

async function freezeBroker(arena: Arena): Promise<void> {
  const { kafka, brokers } = arena.cluster;
  const victim = arena.random.below(brokers.length);
  kafka.freeze(victim);
  try {
    await hold(arena, 2_000, 8_000);
  } finally {
    kafka.thaw(victim);
  }
}

/** The last step is for readers outside of Heddle; the services catch up without it. */
async function deleteTopic(arena: Arena): Promise<void> {
  const { brokers, operatorEnv } = arena.cluster;
  const admin = new Kafka({ brokers: [...brokers], clientId: 'heddle-campaign', logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  try {
    await admin.deleteTopics({ topics: [JOB_EVENTS_TOPIC] });
    await hold(arena, 500, 4_000);
  } finally {
    await admin.disconnect();
  }
  const settings = readSettings(operatorEnv);
  await ensureTopics(kafkaConnection('heddle-campaign', settings), desiredTopics(settings));
  const replay = [...program('cli'), 'history', 'replay', '--from-seq', '1'];
  await promisify(execFile)(process.execPath, replay, { env: { ...operatorEnv } });
}

async function restartDatabase({ cluster }: Arena): Promise<void> {
  await cluster.postgres.restartImmediately();
  updatePort(cluster);
}

async function killS3(arena: Arena): Promise<void> {
  await arena.cluster.s3.kill();
  try {
    await hold(arena, 1_000, 5_000);
  } finally {
    await arena.cluster.s3.start();
  }
}

/** The server may end itself if it cannot write its WAL. It is only restarted; nothing else is repaired by hand. */
async function fillDisk(arena: Arena): Promise<void> {
  const { cluster } = arena;
  if (typeof cluster.disk === 'string') return;
  await cluster.disk.fill();
  try {
    await hold(arena, 2_000, 6_000);
  } finally {
    await cluster.disk.free();
  }
  const serves = async (): Promise<boolean> => {
    if (cluster.postgres.server.running() === undefined) {
      await cluster.postgres.start();
      updatePort(cluster);
    }
    return await cluster.owner.query('select pg_current_xact_id()').then(
      () => true,
      () => false,
    );
  };
  await eventually('the database with a free disk', serves, BACK_WITHIN_MS);
}

async function jump(arena: Arena, ms: number): Promise<void> {
  const { owner } = arena.cluster;
  const move = async (offset: number): Promise<void> => {
    const moved = async (): Promise<boolean> =>
      await owner.query(clockOffsetSql(offset)).then(
        () => true,
        // Another fault may hit the database, or two statements may change the same function at once.
        () => false,
      );
    await eventually('the clock to be moved', moved, BACK_WITHIN_MS);
  };
  await move(ms);
  try {
    await delay(1_000);
    await hold(arena, 500, 4_000);
  } finally {
    await move(0);
  }
}

function updatePort({ postgres, ways }: Arena['cluster']): void {
  const port = postgres.server.running()?.port;
  if (port !== undefined) for (const way of ways.database) way.target = port;
}
