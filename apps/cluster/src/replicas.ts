/** The services of a cluster in start order. */
export const SERVICES = ['validation', 'assets', 'logs', 'jobs', 'registry', 'gateway', 'worker'] as const;
export type ServiceName = (typeof SERVICES)[number];

export type Replicas = Readonly<Record<ServiceName, number>>;

const ONE_OF_EACH: Replicas = { validation: 1, assets: 1, logs: 1, jobs: 1, registry: 1, gateway: 1, worker: 1 };
export const MAX_REPLICAS = 32;

/** An invalid command line; the message says what is expected. */
export class UsageError extends Error {}

/** Parses `jobs=2,gateway=2`; services that are not named run once. */
export function readReplicas(text: string): Replicas {
  const given = text
    .split(',')
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const [name = '', count = ''] = part.split('=').map((word) => word.trim());
      if (!(SERVICES as readonly string[]).includes(name)) {
        throw new UsageError(`--replicas: unknown service "${name}"; the services are ${SERVICES.join(', ')}`);
      }
      const number = Number(count);
      // Somebody's own workers may serve the whole cluster.
      const min = name === 'worker' ? 0 : 1;
      if (!/^\d+$/.test(count) || number < min || number > MAX_REPLICAS) {
        throw new UsageError(`--replicas: ${name} needs a whole number from ${min} to ${MAX_REPLICAS}, not "${count}"`);
      }
      return [name, number] as const;
    });
  return { ...ONE_OF_EACH, ...Object.fromEntries(given) };
}
