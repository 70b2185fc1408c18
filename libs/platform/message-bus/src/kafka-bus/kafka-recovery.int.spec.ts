import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningKafka } from '@heddle/local-servers';
import type { BusMessage } from '../bus/message-bus.js';
import { aMessage, until } from '../bus/message-bus.suite.js';
import { CuttingProxy } from './cutting-proxy.fixture.js';
import { ensureTopics } from './ensure-topics.js';
import type { KafkaBusOptions } from './kafka-bus-options.js';
import { KafkaMessageBus } from './kafka-message-bus.js';
import { kafkaIsSkipped, startedKafka } from './real-kafka.fixture.js';

const TOPIC = 'heddle.steady.events.v1';
const GROUP = 'steady';

interface Traffic {
  /** Ids of acknowledged messages. */
  readonly acknowledged: string[];
  readonly handled: Set<string>;
  /** Those that the `everyProcess` subscription received. */
  readonly live: Set<string>;
  /** Milliseconds from now until a message published after now is handled; 0 while messages arrive. */
  recovered(withinMs?: number): Promise<number>;
  stop(): Promise<void>;
}

/** Publishes messages in sequence on one bus and reads them on another, until stopped. */
async function steadyTraffic(options: KafkaBusOptions): Promise<Traffic> {
  const [writer, reader] = await Promise.all([KafkaMessageBus.connect(options), KafkaMessageBus.connect(options)]);
  const acknowledged: string[] = [];
  const [handled, live] = [new Set<string>(), new Set<string>()];
  const into = (ids: Set<string>) => async (batch: readonly BusMessage[]) => {
    for (const { id } of batch) ids.add(id);
    await Promise.resolve();
  };
  await reader.subscribe(TOPIC, GROUP, into(handled));
  await reader.subscribe(TOPIC, 'live', into(live), { everyProcess: true });
  let stopped = false;
  let next = 0;
  const publishing = (async () => {
    while (!stopped) {
      const id = String(next++);
      while (!stopped) {
        const failed = await writer.publish(TOPIC, [aMessage(`key ${next % 16}`, id)]).catch((error: unknown) => error);
        if (failed === undefined) {
          acknowledged.push(id);
          break;
        }
      }
      await delay(10);
    }
  })();
  return {
    acknowledged,
    handled,
    live,
    recovered: async (withinMs) => {
      const from = Date.now();
      const last = String(next + 20);
      await until('messages came again', () => handled.has(last) && live.has(last), withinMs);
      return Date.now() - from;
    },
    stop: async () => {
      stopped = true;
      await publishing;
      await until(
        'everything acknowledged was handled',
        () => acknowledged.every((id) => handled.has(id)),
        SETTLES_WITHIN_MS,
      );
      await Promise.all([writer.close(), reader.close()]);
    },
  };
}

const say = (what: string, ms: number): boolean =>
  process.stdout.write(`  ${what}: events flow again after ${(ms / 1000).toFixed(1)} s\n`);
const desired = (replicas: number) => [{ name: TOPIC, partitions: 4, replicas, retentionMs: 3_600_000 }];
const RECOVERS_WITHIN_MS = 15_000;
/** For phases without a promise: freshly started brokers elect leaders first. */
const SETTLES_WITHIN_MS = 60_000;
/** Mainly for brokers starting on a busy machine. */
const TEST_TIMEOUT_MS = 180_000;

describe.skipIf(await kafkaIsSkipped())(
  'events flow again, and nothing acknowledged is lost,',
  { timeout: TEST_TIMEOUT_MS },
  () => {
    describe('over one broker', () => {
      const proxy = new CuttingProxy();
      let kafka: RunningKafka;
      let traffic: Traffic;

      beforeAll(async () => {
        const port = await proxy.listen();
        kafka = await startedKafka({ advertisedPorts: [port] });
        proxy.target = Number(kafka.brokers[0]?.split(':')[1]);
        const options = { brokers: [`127.0.0.1:${port}`], clientId: 'recovery' };
        await ensureTopics(options, desired(1));
        traffic = await steadyTraffic(options);
        await traffic.recovered(SETTLES_WITHIN_MS);
      }, TEST_TIMEOUT_MS);
      afterAll(async () => {
        await traffic.stop();
        await kafka.stop();
        await proxy.close();
      }, TEST_TIMEOUT_MS);

      it('when every connection is cut, again and again', async () => {
        for (let i = 0; i < 5; i++) {
          await until('somebody is connected', () => proxy.cut() > 0);
          // Part of the fault: the next cut meets clients that are connecting or sending again.
          await delay(300);
        }
        const ms = await traffic.recovered();
        say('connections cut', ms);
        expect(ms).toBeLessThan(RECOVERS_WITHIN_MS);
      });

      it('when it is killed and started again', async () => {
        await kafka.kill(0);
        const down = Date.now();
        await kafka.start(0);
        const startMs = Date.now() - down;
        const ms = await traffic.recovered();
        say(`broker killed, ready again after ${(startMs / 1000).toFixed(1)} s`, startMs + ms);
        expect(ms).toBeLessThan(RECOVERS_WITHIN_MS);
      });

      it('when it hangs for 8 s', async () => {
        kafka.freeze(0);
        // The duration is the fault; nothing is waited for.
        await delay(8_000);
        kafka.thaw(0);
        const ms = await traffic.recovered();
        say('broker frozen for 8 s, from when it goes on', ms);
        expect(ms).toBeLessThan(RECOVERS_WITHIN_MS);
      });
    });

    describe('over three brokers', () => {
      let kafka: RunningKafka;
      let traffic: Traffic | undefined;

      beforeAll(async () => {
        kafka = await startedKafka({ brokers: 3 });
        const options = { brokers: kafka.brokers, clientId: 'recovery' };
        await ensureTopics(options, desired(3));
        traffic = await steadyTraffic(options);
        await traffic.recovered(SETTLES_WITHIN_MS);
      }, TEST_TIMEOUT_MS);
      afterAll(async () => {
        await traffic?.stop();
        await kafka.stop();
      }, TEST_TIMEOUT_MS);

      it.each([0, 1, 2])(
        'when broker %i is killed, whatever it leads or coordinates, and comes back',
        async (broker) => {
          await kafka.kill(broker);
          const ms = (await traffic?.recovered()) ?? 0;
          say(`broker ${broker} of three killed`, ms);
          expect(ms).toBeLessThan(RECOVERS_WITHIN_MS);
          await kafka.start(broker);
          await traffic?.recovered(SETTLES_WITHIN_MS);
        },
      );
    });
  },
);
