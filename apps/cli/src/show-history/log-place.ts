import type { CommandCall, Option } from '../command-line/command.js';
import { secretValue } from '../command-line/env-value.js';
import { wrongUsage } from '../failure.js';
import type { LogPlace } from './open-log.js';

/** Options of the commands that read the log. */
export const LOG_OPTIONS: Readonly<Record<string, Option>> = {
  data: { value: 'FOLDER', meaning: 'data folder of Heddle (HEDDLE_DATA; .heddle)' },
  'database-url': { value: 'URL', meaning: 'the database, if it is not embedded (HEDDLE_DATABASE_URL)' },
};

/** The selected log; a flag overrides the environment, and two flags are wrong usage. */
export function logPlaceOf({ options, env }: CommandCall): LogPlace {
  const databaseUrl = options.text('database-url');
  const data = options.text('data');
  if (databaseUrl !== null && data !== null)
    throw wrongUsage('--data and --database-url name two logs', 'give one of them');
  if (data !== null) return { databaseUrl: null, dataDir: data };
  return {
    databaseUrl: databaseUrl ?? secretValue(env, 'HEDDLE_DATABASE_URL'),
    urlSetBy: databaseUrl === null ? 'HEDDLE_DATABASE_URL' : '--database-url',
    dataDir: env['HEDDLE_DATA'] || '.heddle',
  };
}
