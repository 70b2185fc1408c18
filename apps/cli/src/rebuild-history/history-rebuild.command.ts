import type { Command, CommandCall } from '../command-line/command.js';
import { EXIT, failed, wrongUsage } from '../failure.js';
import { Interrupted, longWork } from '../show-history/long-work.js';
import { LOG_OPTIONS, logPlaceOf } from '../show-history/log-place.js';
import { plainText } from '../terminal/plain-text.js';
import { progressOn } from '../terminal/work-progress.js';

const DEFAULT_SCHEMA = 'jobs_rebuilt';
/** Schemas of the services and of PostgreSQL. */
const LIVE_SCHEMAS: ReadonlySet<string> = new Set([
  ...['heddle', 'jobs', 'assets', 'logs', 'accounts', 'deployments', 'registry', 'partner_proxy'],
  ...['public', 'information_schema'],
]);

export const historyRebuildCommand: Command = {
  name: 'history rebuild',
  summary: 'rebuild the tables of jobs from the log, compare them with the live ones, and put them in their place',
  words: '',
  isLocal: true,
  judges: true,
  options: {
    ...LOG_OPTIONS,
    schema: { value: 'NAME', meaning: `name of the new schema for the rebuilt tables (${DEFAULT_SCHEMA})` },
    swap: {
      value: null,
      meaning: 'put the rebuilt tables in the place of the live ones; without it, live tables do not change',
    },
  },
  examples: ['heddle history rebuild', 'heddle history rebuild --swap --json'],
  notes: () =>
    Promise.resolve([
      'Needs the role of the database owner, and free space for a copy of the tables of jobs. Works while Heddle runs.',
      'Without --swap, the schema is removed at the end. After a swap it holds the former tables: drop it if you no longer need them.',
      'The swap locks the tables for less than a second; it waits for a moment without long transactions.',
      'Exit code 0: no difference, or the rebuilt tables are live. Exit code 1: there are differences.',
    ]),
  run: rebuild,
};

async function rebuild(call: CommandCall): Promise<number> {
  const { words, options, terminal } = call;
  if (words.length > 0)
    throw wrongUsage('history rebuild takes no arguments', 'heddle history rebuild --help lists its options');
  const place = logPlaceOf(call);
  const schema = options.text('schema') ?? DEFAULT_SCHEMA;
  const swap = options.on('swap');
  if (!/^[a-z_][a-z\d_]{0,62}$/.test(schema) || schema.startsWith('pg_'))
    throw wrongUsage(
      `--schema must be a new name of lower-case letters, digits and _, not "${schema}"`,
      `for example --schema ${DEFAULT_SCHEMA}`,
    );
  if (LIVE_SCHEMAS.has(schema))
    throw wrongUsage(`${schema} is the live schema; --schema names a new one, for example ${DEFAULT_SCHEMA}`);
  const [{ withLog }, { dropRebuilt, rebuildReadModel, RebuildSchemaError, TablesInUseError }] = await Promise.all([
    import('../show-history/open-log.js'),
    import('@heddle/jobs'),
  ]);
  const began = performance.now();
  const tell = progressOn(terminal);
  const onProgress = (progress: { readonly events: number; readonly total: number }): void =>
    tell({ phase: 'rebuild', ...progress });
  const onIndexed = ({ steps, total }: { readonly steps: number; readonly total: number }): void =>
    tell({ phase: 'indexes', events: steps, total, unit: 'steps' });
  let drop = false;
  const onMade = (): void => {
    drop = true;
  };
  // From the swap on, the schema holds the former tables.
  const onSwapped = (): void => {
    drop = false;
  };
  try {
    const report = await longWork((signal) =>
      withLog(place, { longWork: true, writes: true }, signal, async (log) => {
        const { client } = log;
        try {
          const beside = await log.another();
          return await rebuildReadModel(client, schema, {
            swap,
            beside,
            signal,
            onProgress,
            onIndexed,
            onMade,
            onSwapped,
          });
        } finally {
          if (drop) await dropRebuilt(client, schema).catch(() => undefined);
        }
      }),
    );
    terminal.erase();
    const { events, jobs, outputs, differences, swapped, unusable } = report;
    const seconds = Math.round(performance.now() - began) / 1_000;
    terminal.printJson({ schema, events, jobs, outputs, differences, swapped, seconds });
    if (!terminal.json) {
      for (const difference of differences) terminal.print(plainText(difference));
      const what =
        differences.length === 0 ? 'no difference' : swapped ? 'the live tables differed' : 'the live tables differ';
      terminal.print(`${what}: ${jobs} jobs, ${outputs} outputs from ${events} events, ${seconds.toFixed(1)} s`);
      if (swapped)
        terminal.print(
          `the rebuilt tables are live; the former ones are in the schema ${schema}, to be dropped by you`,
        );
    }
    return differences.length === 0 || (swapped && unusable === 0) ? EXIT.done : EXIT.failed;
  } catch (error) {
    terminal.erase();
    if (error instanceof Interrupted) return EXIT.interrupted;
    if (error instanceof RebuildSchemaError || error instanceof TablesInUseError) throw failed(error.message);
    throw error;
  }
}
