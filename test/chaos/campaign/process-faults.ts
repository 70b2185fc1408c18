import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '@heddle/testing-api';
import { enginesOf } from '../processes.ts';
import { LEASE_MS } from './cluster-under-fire.ts';
import { BACK_WITHIN_MS, FREEZE_OF_ALL_JOBS, hold } from './fault.ts';
import type { Arena, Fault } from './fault.ts';

type Process = Arena['cluster']['processes'][number];
export const SERVICES = ['gateway', 'jobs', 'worker', 'assets', 'validation'] as const;

/** `kill -9` and SIGSTOP of every service, of leaders and of engines */
export const PROCESS_FAULTS: readonly Fault[] = [
  ...SERVICES.flatMap((service): readonly Fault[] => [
    { name: `kill ${service}`, family: 'kill', victim: service, strike: (arena) => kill(arena, some(arena, service)) },
    {
      name: `freeze ${service}`,
      family: 'freeze',
      victim: service,
      strike: (arena) => freeze(arena, some(arena, service)),
    },
  ]),
  ...(['seq_cursor', 'relay_cursor'] as const).flatMap((table): readonly Fault[] => {
    const role = table === 'seq_cursor' ? 'sequencer' : 'relay';
    return [
      {
        name: `kill ${role}`,
        family: 'kill',
        victim: 'jobs',
        strike: async (arena) => await kill(arena, await holder(arena, table)),
      },
      {
        name: `freeze ${role}`,
        family: 'freeze',
        victim: 'jobs',
        strike: async (arena) => await freeze(arena, await holder(arena, table)),
      },
    ];
  }),
  {
    name: FREEZE_OF_ALL_JOBS,
    family: 'freeze',
    victim: 'jobs',
    alone: true,
    strike: freezeJobs,
  },
  { name: 'kill engine', family: 'engine', victim: 'worker', strike: killEngine },
];

export function some({ cluster, random }: Arena, service: string): Process {
  return random.pick(cluster.processes.filter(({ plan }) => plan.service === service))!;
}

async function kill(arena: Arena, victim: Process): Promise<void> {
  await victim.kill();
  await isBack(victim);
}

async function freeze(arena: Arena, victim: Process): Promise<void> {
  victim.freeze();
  try {
    await hold(arena, 2_000, 8_000);
  } finally {
    victim.resume();
  }
  await isBack(victim);
}

async function freezeJobs(arena: Arena): Promise<void> {
  const victims = arena.cluster.processes.filter(({ plan }) => plan.service === 'jobs');
  for (const victim of victims) victim.freeze();
  try {
    await hold(arena, 1.2 * LEASE_MS, 2.5 * LEASE_MS);
  } finally {
    for (const victim of victims) victim.resume();
  }
  await Promise.all(victims.map(isBack));
}

/** The jobs process that is the sequencer or the relay; any jobs process if there is none or the database is away. */
async function holder(arena: Arena, table: string): Promise<Process> {
  const sql = `select r.address from jobs.${table} c join jobs.replica r on r.id::text = c.holder`;
  const address = await arena.cluster.owner.query<{ address: string }>(sql).then(
    ({ rows }) => rows[0]?.address,
    () => undefined,
  );
  const found = arena.cluster.processes.find(({ plan }) => plan.env['HEDDLE_CALLS_ADDRESS'] === address);
  return found ?? some(arena, 'jobs');
}

/** Waits until the restarted process reports that it is ready. */
export async function isBack({ plan }: Process): Promise<void> {
  const ready = async (): Promise<boolean> =>
    await fetch(`http://127.0.0.1:${plan.opsPort}/readyz`, { signal: AbortSignal.timeout(5_000) }).then(
      ({ status }) => status === 200,
      () => false,
    );
  await eventually(`the readiness of ${plan.name}`, ready, BACK_WITHIN_MS);
}

async function killEngine(arena: Arena): Promise<void> {
  const { pid } = some(arena, 'worker');
  const engine = arena.random.pick(pid === undefined ? [] : enginesOf(pid));
  if (engine !== undefined) process.kill(engine, 'SIGKILL');
  await delay(500);
}
