import { NestFactory } from '@nestjs/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { JOBS_PORT, LEASES_PORT, WORKER_EVENTS_TOPIC } from '@heddle/contracts-messages';
import type { JobsPort, LeasesPort, WorkerEvent } from '@heddle/contracts-messages';
import { MemoryMessageBus } from '@heddle/platform-message-bus';
import { MessageBusStrategy } from '@heddle/platform-message-bus/nest-transport';
import type { DeadLetter } from '@heddle/platform-message-bus';
import type { TestDatabase } from '@heddle/testing-database';
import { JobsModule } from '../jobs.module.js';
import {
  dropConsistent,
  leased,
  openDatabase,
  outputOf,
  reportOf,
  someAccount,
  submitted,
  succeeded,
  until,
  valueOf,
} from '../open-jobs.spec-runner.js';
import type { OpenJobs } from '../open-jobs.spec-runner.js';

describe('worker events on the bus', () => {
  const letters: DeadLetter[] = [];
  const bus = new MemoryMessageBus({ onDeadLetter: (letter) => letters.push(letter) });
  let db: TestDatabase;
  let one: OpenJobs;
  beforeAll(async () => {
    db = await openDatabase();
    const module = JobsModule.register({ database: db.database, bus });
    const app = await NestFactory.createMicroservice(module, {
      strategy: new MessageBusStrategy(bus, 'jobs'),
      logger: false,
    });
    await app.listen();
    one = {
      jobs: app.get<JobsPort>(JOBS_PORT),
      leases: app.get<LeasesPort>(LEASES_PORT),
      get: (token) => app.get(token as never),
      close: async () => await app.close(),
    };
  });
  afterAll(async () => {
    await one.close();
    await bus.close();
    await dropConsistent(db);
  });

  const publish = async (reports: readonly WorkerEvent[]): Promise<void> => {
    const messages = reports.map((payload) => {
      const id = `${payload.jobId}:${payload.fence}:${payload.kind}:${payload.sequence}`;
      return { key: payload.jobId, id, type: payload.kind, payload, headers: {} };
    });
    await bus.publish(WORKER_EVENTS_TOPIC, messages);
  };

  it('are committed when publishing resolves', async () => {
    const me = someAccount();
    const { id } = await submitted(one, me);
    const lease = await leased(one, me);
    const output = { kind: 'output_committed', output: outputOf('9/0/0') } as const;
    await publish([reportOf(lease, 1, output), reportOf(lease, 2, succeeded)]);
    const view = valueOf(await one.jobs.get(me, id));
    expect([view.status, view.outputs.length]).toEqual(['succeeded', 1]);
  });

  it('wait for a database that is away, instead of becoming dead letters', async () => {
    const me = someAccount();
    const { id } = await submitted(one, me);
    const lease = await leased(one, me);
    const name = new URL(db.ownerUrl).pathname.slice(1);
    const kill = `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'heddle_jobs' and datname = $1`;
    await db.owner.query(kill, [name]);
    const published = publish([reportOf(lease, 1, succeeded)]);
    for (let again = 0; again < 5; again++) await db.owner.query(kill, [name]);
    await published;
    // The last blow may have struck the connection that this question is given.
    const answer = await until(async () => await one.jobs.get(me, id).catch(() => null), 'an answer of the database');
    expect(valueOf(answer).status).toBe('succeeded');
    expect(letters).toEqual([]);
  });
});
