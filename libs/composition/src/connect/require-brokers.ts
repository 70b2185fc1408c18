import { SettingRefused } from '@heddle/platform-settings';
import { READ_BY } from '../settings/settings-table.js';
import type { Settings } from '../settings/settings.js';

const SERVICES_ON_KAFKA = new Set(
  Object.entries(READ_BY).flatMap(([service, keys]) => (keys.includes('kafkaBrokers') ? [service] : [])),
);

/** Without brokers a separate service would publish to no consumer. `name`: of the process. @throws SettingRefused */
export function requireBrokers(name: string, { kafkaBrokers }: Pick<Settings, 'kafkaBrokers'>): void {
  if (kafkaBrokers.length > 0 || !SERVICES_ON_KAFKA.has(name)) return;
  throw new SettingRefused(
    `HEDDLE_KAFKA_BROKERS is unset: the ${name} service exchanges messages with other processes; set it to the brokers of the cluster, for example 127.0.0.1:9092`,
  );
}
