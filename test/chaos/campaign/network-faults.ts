import { httpReply } from '@heddle/testing-cluster';
import type { FaultProxy, NetworkFault } from '@heddle/testing-cluster';
import { hold } from './fault.ts';
import type { Arena, Fault } from './fault.ts';

const VICTIMS = ['database', 'broker', 's3', 'jobs', 'assets', 'validation'] as const;
type Victim = (typeof VICTIMS)[number];

const KINDS: readonly (readonly [name: string, fault: (arena: Arena) => NetworkFault])[] = [
  ['slow way', ({ random }) => ({ kind: 'latency', ms: 20 + random.below(180) })],
  ['narrow way', ({ random }) => ({ kind: 'bandwidth', bytesPerSecond: 20_000 + random.below(80_000) })],
  ['refusal', () => ({ kind: 'refuse' })],
  ['black hole', () => ({ kind: 'black-hole' })],
  ['half-open connections', () => ({ kind: 'half-open' })],
  ['success then reset', ({ random }) => ({ kind: 'reset-answer', chance: 0.1 + random.next() * 0.5 })],
];

/** Every network fault on every connection between two processes */
export const NETWORK_FAULTS: readonly Fault[] = VICTIMS.flatMap((victim): readonly Fault[] => [
  ...KINDS.map(([name, fault]): Fault => ({
    ...head(victim, name),
    strike: async (arena) => await during(arena, victim, fault(arena)),
  })),
  { ...head(victim, 'cut connections'), strike: async (arena) => await cut(arena, victim) },
  ...(victim === 's3'
    ? [
        {
          ...head(victim, '5xx'),
          strike: async (arena: Arena) =>
            await during(arena, victim, { kind: 'reply', bytes: httpReply(503, 'Slow Down') }),
        },
      ]
    : []),
]);

function head(victim: Victim, name: string): Pick<Fault, 'name' | 'family' | 'victim' | 'alone'> {
  const ofBroker = victim === 'broker' ? { alone: true } : {};
  return { name: `${name}: ${victim}`, family: 'network', victim, ...ofBroker };
}

async function during(arena: Arena, victim: Victim, fault: NetworkFault): Promise<void> {
  const ways = struck(arena, victim);
  for (const way of ways) way.set(fault);
  try {
    await hold(arena, 2_000, 6_000);
  } finally {
    for (const way of ways) way.set(null);
  }
}

async function cut(arena: Arena, victim: Victim): Promise<void> {
  const ways = struck(arena, victim);
  for (let times = 1 + arena.random.below(3); times > 0; times -= 1) {
    for (const way of ways) way.cut();
    await hold(arena, 100, 700);
  }
}

/** The proxies of one replica or broker, or of all. */
function struck({ cluster: { ways }, random }: Arena, victim: Victim): readonly FaultProxy[] {
  const all = victim === 'database' || victim === 'broker' || victim === 's3' ? ways[victim] : ways.calls[victim];
  return random.below(3) === 0 ? all : [random.pick(all)!];
}
