import { eventually } from '@heddle/testing-api';
import { ASSETS_MIGRATIONS } from '@heddle/assets';
import { freshDatabase } from '@heddle/testing-database';
import type { ProgramName } from '@heddle/platform-telemetry/program';
import { afterEach, describe, expect, it } from 'vitest';
import { LoneProcess } from './service-process.js';
import type { Readiness } from './service-process.js';

/** A port without a listener */
const NOWHERE = '127.0.0.1:9';
const URL_OF = (role: string): string => `postgres://${role}:secret-of-nobody@${NOWHERE}/heddle`;
const OTHERS = {
  HEDDLE_JOBS_URLS: `http://${NOWHERE}`,
  HEDDLE_WORK_URLS: `http://${NOWHERE}`,
  HEDDLE_ASSETS_URLS: `http://${NOWHERE}`,
  HEDDLE_VALIDATION_URLS: `http://${NOWHERE}`,
};

const SETTLED_WITHIN_MS = 60_000;
const TEST_TIMEOUT_MS = 120_000;

interface Case {
  readonly service: ProgramName;
  readonly away: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly waiting: readonly string[];
  readonly degraded: readonly string[];
}

const CASES: readonly Case[] = [
  ...(['jobs', 'assets', 'logs'] as const).map((service) => ({
    service,
    away: 'its database',
    settings: { HEDDLE_DATABASE_URL: URL_OF(`heddle_${service}`), HEDDLE_KAFKA_BROKERS: NOWHERE },
    waiting: ['database'],
    degraded: [],
  })),
  {
    service: 'validation',
    away: 'the engine',
    settings: { HEDDLE_ENGINE: `http://${NOWHERE}`, HEDDLE_DATA: '/nonexistent' },
    waiting: ['catalogue'],
    degraded: ['engine'],
  },
  // The gateway stays ready and answers with errors: clients need an answer, not a refused connection.
  {
    service: 'gateway',
    away: 'every other service and the broker',
    settings: { ...OTHERS, HEDDLE_KAFKA_BROKERS: NOWHERE },
    waiting: [],
    degraded: ['kafka', 'jobs service', 'assets service', 'validation service'],
  },
  {
    service: 'worker',
    away: 'every other service',
    settings: OTHERS,
    waiting: [],
    degraded: ['jobs service', 'assets service'],
  },
  {
    service: 'worker',
    away: 'every other service and its engine',
    settings: { ...OTHERS, HEDDLE_ENGINE: `http://${NOWHERE}` },
    waiting: [],
    degraded: ['jobs service', 'assets service', 'engine'],
  },
];

describe('a service whose surroundings are away', () => {
  let running: LoneProcess | null = null;
  afterEach(async () => {
    await running?.stop();
    running = null;
  });
  const names = (reasons: Readiness['degraded']): readonly string[] => reasons.map(({ name }) => name).sort();
  /** The readiness once it matches, or at the time-out: its parts appear one by one. */
  const settled = async (service: LoneProcess, { waiting, degraded }: Pick<Case, 'waiting' | 'degraded'>) => {
    const wanted = JSON.stringify([[...waiting].sort(), [...degraded].sort()]);
    let state: Readiness | null = null;
    const isSettled = async (): Promise<boolean> => {
      state = (await service.readiness()) ?? state;
      return state !== null && JSON.stringify([names(state.waiting_for), names(state.degraded)]) === wanted;
    };
    await eventually('what it waits for', isSettled, SETTLED_WITHIN_MS).catch(() => undefined);
    if (state === null) throw new Error(`the service does not answer:\n${service.log}`);
    return state as Readiness;
  };

  it.each(CASES)(
    '$service without $away lives, says what is missing, and stops when told',
    async (expected) => {
      const service = await LoneProcess.start(expected.service, expected.settings);
      running = service;
      const state = await settled(service, expected);
      expect(names(state.waiting_for)).toEqual([...expected.waiting].sort());
      expect(names(state.degraded)).toEqual([...expected.degraded].sort());
      expect([state.ready, state.status]).toEqual(expected.waiting.length === 0 ? [true, 200] : [false, 503]);
      for (const { reason } of [...state.waiting_for, ...state.degraded]) expect(reason.length).toBeGreaterThan(5);
      const metrics = await service.metrics();
      for (const name of expected.waiting) expect(metrics).toContain(`heddle_dependency_up{dependency="${name}"} 0\n`);
      expect(await service.alive()).toBe(200);
      if (state.ready) await service.ready;
      expect(await service.stop()).toBe(0);
      expect(JSON.stringify(state) + service.log).not.toContain('secret-of-nobody');
    },
    TEST_TIMEOUT_MS,
  );

  it(
    'assets without its blob store lives, waits, and says so',
    async () => {
      const database = await freshDatabase({ migrations: [ASSETS_MIGRATIONS] });
      try {
        running = await LoneProcess.start('assets', {
          HEDDLE_DATABASE_URL: database.database.roleUrl('heddle_assets'),
          HEDDLE_KAFKA_BROKERS: NOWHERE,
          HEDDLE_S3_ENDPOINT: `http://${NOWHERE}`,
          HEDDLE_S3_BUCKET: 'heddle',
          HEDDLE_S3_ACCESS_KEY: 'a',
          HEDDLE_S3_SECRET_KEY: 'secret-of-nobody',
        });
        const service = running;
        const state = await eventually(
          'the store being missed',
          async () => {
            const found = await service.readiness();
            const [first, ...others] = found?.waiting_for ?? [];
            const isMissed = first?.name === 'blob store' && !/not reached yet/.test(first.reason);
            return isMissed && others.length === 0 ? found : null;
          },
          SETTLED_WITHIN_MS,
        );
        expect([state.ready, state.status]).toEqual([false, 503]);
        expect(await service.alive()).toBe(200);
        expect(service.log).not.toContain('secret-of-nobody');
        expect(await service.stop()).toBe(0);
      } finally {
        await database.drop();
      }
    },
    TEST_TIMEOUT_MS,
  );
});

describe('a service whose settings cannot work', () => {
  const refused = async (service: ProgramName, settings: Readonly<Record<string, string>>): Promise<string> => {
    const started = await LoneProcess.start(service, { ...OTHERS, ...settings });
    await started.ready;
    expect(await started.stop()).toBe(2);
    return started.log;
  };

  it('is refused without brokers, before it waits for anything', async () => {
    const log = await refused('logs', { HEDDLE_DATABASE_URL: URL_OF('heddle_logs') });
    expect(log).toContain('heddle: HEDDLE_KAFKA_BROKERS is unset: the logs service');
  });

  it('is refused as a jobs replica that others could not call', async () => {
    const log = await refused('jobs', {
      HEDDLE_DATABASE_URL: URL_OF('heddle_jobs'),
      HEDDLE_KAFKA_BROKERS: NOWHERE,
      HEDDLE_CALLS_HOST: '0.0.0.0',
      HEDDLE_CALLS_PLAIN: 'true',
    });
    expect(log).toContain('heddle: other replicas cannot call http://0.0.0.0:');
  });
});
