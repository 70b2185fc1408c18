import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Graph } from '@heddle/testing-api';
import { caption, crashing, Dice, faulty, poster, render, story } from './graphs.ts';

/** Settings under which a job may end in every way within seconds. */
export const SETTINGS = {
  HEDDLE_TEST_NODES: '1',
  HEDDLE_WORKERS: '2',
  HEDDLE_LEASE_S: '4',
  HEDDLE_MAX_QUEUE_WAIT_S: '8',
  HEDDLE_MAX_ATTEMPTS: '2',
  HEDDLE_RETRY_DELAY_S: '0.1',
  HEDDLE_LOG_LEVEL: 'error',
};

const SENDERS = 16;
/** The queue holds as many jobs as `HEDDLE_QUEUE_DEPTH_ACCOUNT` allows: a sender that is refused waits this long. */
const FULL_MS = 40;
/** Both workers are busy for longer than a job may wait: what waits behind them expires. */
const JAM_EVERY = 8_000;
const JAM_S = 9;

/** Submits jobs of every kind until the signal aborts, and resolves with how many were accepted. */
export async function submitSteadily(url: string, seed: number, signal: AbortSignal): Promise<number> {
  const dice = new Dice(seed);
  let jobs = 0;
  const send = async (): Promise<void> => {
    while (!signal.aborted) {
      const isJam = jobs % JAM_EVERY === JAM_EVERY - 1;
      const graphs = isJam ? [render(dice, JAM_S), render(dice, JAM_S)] : [graphOf(dice)];
      jobs += graphs.length;
      for (const graph of graphs) await accepted(url, graph, dice);
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, send));
  return jobs;
}

function graphOf(dice: Dice): Graph {
  const kind = dice.below(2_000);
  if (kind < 1) return crashing(dice);
  if (kind < 40) return faulty(dice);
  if (kind < 46) return poster(dice);
  if (kind < 300) return caption(dice);
  return story(dice);
}

async function accepted(url: string, graph: Graph, dice: Dice): Promise<void> {
  const body = JSON.stringify({ workflow: graph, metadata: { team: dice.of(['atlas', 'borealis', 'cirrus']) } });
  for (;;) {
    const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
    const answer = await fetch(`${url}/api/v2/jobs`, { method: 'POST', headers, body });
    const text = await answer.text();
    if (answer.status === 201) {
      if (dice.below(60) > 0) return;
      const { id } = JSON.parse(text) as { id: string };
      await (await fetch(`${url}/api/v2/jobs/${id}/cancel`, { method: 'POST' })).arrayBuffer();
      return;
    }
    if (answer.status !== 429) throw new Error(`a submission was answered ${answer.status}: ${text}`);
    await delay(FULL_MS);
  }
}
