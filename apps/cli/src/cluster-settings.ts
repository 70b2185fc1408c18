import type { Settings } from '@heddle/composition';
import { ListedFailure, wrongUsage } from './failure.js';
import type { ProcessVariables } from '@heddle/platform-telemetry';

/** The settings of the services; an invalid one is wrong usage. */
export async function serviceSettings(env: ProcessVariables): Promise<Settings> {
  // Loaded on demand, so that other commands start without it.
  const { readSettings, SettingRefused } = await import('@heddle/composition');
  try {
    return readSettings(env);
  } catch (error) {
    if (!(error instanceof SettingRefused)) throw error;
    const [message = '', ...others] = error.message.split('\n');
    throw new ListedFailure(wrongUsage(message, 'heddle serve --help lists every setting'), others);
  }
}

/** The settings of the services, for a command that needs a cluster's Kafka. */
export async function clusterSettings(env: ProcessVariables, command: string): Promise<Settings> {
  if ((env['HEDDLE_KAFKA_BROKERS'] ?? '') === '') {
    throw wrongUsage(
      `${command} needs a cluster, and HEDDLE_KAFKA_BROKERS is not set`,
      'set HEDDLE_KAFKA_BROKERS to the brokers of the cluster, for example 127.0.0.1:9092; standalone does not need this command',
    );
  }
  return serviceSettings(env);
}
