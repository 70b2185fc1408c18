import { errorMessage } from '@heddle/contracts-messages/error-message';
import { SettingRefused } from '@heddle/platform-settings';
import type { ComparedStep } from '@heddle/platform-database';
import type { Command, CommandCall } from '../command-line/command.js';
import { serviceSettings } from '../cluster-settings.js';
import { secretValue } from '../command-line/env-value.js';
import { EXIT, failed, wrongUsage } from '../failure.js';

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'update schemas, service roles and topics before the services of a cluster start',
  words: '',
  isLocal: true,
  judges: true,
  options: {
    'show-urls': { value: null, meaning: 'print the URL of each role, with its password' },
    check: { value: null, meaning: 'change nothing; report what is missing, or what this version cannot work with' },
    'adopt-restored-log': {
      value: null,
      meaning: 'make the log of a dump from another server go on; stop all services first',
    },
  },
  examples: ['heddle migrate', 'heddle migrate --check', 'heddle migrate --show-urls --json'],
  notes: async () =>
    await Promise.resolve([
      'HEDDLE_DATABASE_URL is an owner of the database (postgres://owner:...@db/heddle); each service gets only the URL of its own role.',
      'HEDDLE_JOBS_DATABASE_URL and the like (ASSETS, LOGS, ACCOUNTS, DEPLOYMENTS, REGISTRY) give a role the password of that URL; otherwise it is derived from the password of the owner.',
      'With HEDDLE_KAFKA_BROKERS, it also creates the topics, with HEDDLE_KAFKA_PARTITIONS and HEDDLE_KAFKA_REPLICATION.',
      'Migration steps only add, so old and new versions of a service work on the new schema.',
      '--check exits with 0 if the database is up to date or ahead of this version, and with 1 if steps are missing or this version cannot work with one.',
    ]),
  async run({ words, options, terminal, env }) {
    if (words.length > 0) throw wrongUsage('migrate takes no arguments', 'settings come from the environment');
    const url = secretValue(env, 'HEDDLE_DATABASE_URL');
    if (url === null) throw wrongUsage('HEDDLE_DATABASE_URL is not set', 'set it to the URL of the database owner');
    const { compareCluster, prepareDatabase, prepareTopics } = await import('@heddle/composition/prepare-cluster');
    const settings = await serviceSettings(env);
    if (options.on('check')) return reportSteps(await named(compareCluster(url, settings)), terminal);
    const { steps, roles } = await named(prepareDatabase(url, settings));
    for (const step of steps) {
      terminal.printJson({ step });
      if (!terminal.json) terminal.print(`applied ${step}`);
    }
    for (const { service, role, databaseUrl } of roles) {
      const shown = options.on('show-urls') ? { database_url: databaseUrl } : {};
      terminal.printJson({ service, role, ...shown });
      if (!terminal.json)
        terminal.print(`role ${role} of ${service}${options.on('show-urls') ? `: ${databaseUrl}` : ''}`);
    }
    if (options.on('adopt-restored-log')) {
      const adopted = await adoptLog(url);
      terminal.printJson({ adopted_events: adopted });
      if (!terminal.json) terminal.print(adoptedText(adopted));
    }
    const topics = await named(prepareTopics(settings));
    for (const topic of topics) {
      terminal.printJson({ topic });
      if (!terminal.json) terminal.print(`topic ${topic}`);
    }
    if (!terminal.json && steps.length === 0) terminal.print('every schema is up to date');
    return EXIT.done;
  },
};

/** A setting that cannot work is wrong usage; the message of every other error is enough. */
async function named<T>(work: Promise<T>): Promise<T> {
  return await work.catch((error: unknown) => {
    if (error instanceof SettingRefused) throw wrongUsage(error.message);
    throw failed(errorMessage(error));
  });
}

function reportSteps(steps: readonly ComparedStep[], terminal: CommandCall['terminal']): number {
  for (const { step, state, why } of steps) {
    terminal.printJson({ step, state });
    if (!terminal.json) terminal.print(`${state} ${step}${why === undefined ? '' : `: ${why}`}`);
  }
  if (!terminal.json && steps.length === 0) terminal.print('every schema is up to date');
  return steps.every(({ state }) => state === 'ahead') ? EXIT.done : EXIT.failed;
}

/** The contexts with an event log of their own. */
const LOGS = ['jobs', 'deployments', 'registry'];

/** The number of rewritten events; null if every log belongs to this server already. */
async function adoptLog(url: string): Promise<number | null> {
  const [{ adoptRestoredLog }, { connectDatabase }] = await Promise.all([
    import('@heddle/platform-event-log'),
    import('@heddle/platform-database'),
  ]);
  const database = await connectDatabase({ databaseUrl: url, applicationName: 'heddle-migrate' });
  try {
    let adopted: number | null = null;
    for (const schema of LOGS) {
      const events = await adoptRestoredLog(database.ownerPool, schema);
      if (events !== null) adopted = (adopted ?? 0) + events;
    }
    return adopted;
  } finally {
    await database.close();
  }
}

function adoptedText(events: number | null): string {
  return events === null
    ? 'the logs belong to this server: nothing to adopt'
    : `the logs go on in this server: ${events} events adopted`;
}
