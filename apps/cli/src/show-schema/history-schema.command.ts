import type { Command, CommandCall } from '../command-line/command.js';
import { codedFailure, EXIT, wrongUsage } from '../failure.js';

export const historySchemaCommand: Command = {
  name: 'history schema',
  summary: 'the JSON Schemas of the stored events',
  words: '[TYPE]',
  isLocal: true,
  options: { version: { value: 'N', meaning: 'schema version of the event type (the newest)' } },
  examples: ['heddle history schema JobSubmitted', 'heddle history schema --json'],
  notes: () =>
    Promise.resolve(['With --json: one line per schema, of all types and versions unless TYPE or N is given.']),
  run: showSchema,
};

async function showSchema({ words, options, terminal }: CommandCall): Promise<number> {
  const [type, ...others] = words;
  if (others.length > 0)
    throw wrongUsage('history schema takes one event type', 'heddle history schema --json prints all schemas');
  const version = options.text('version');
  if (version !== null && !/^[1-9]\d{0,3}$/.test(version))
    throw wrongUsage(`--version must be a whole number from 1, not "${version}"`, 'for example --version 1');
  const { PUBLISHED_EVENTS } = await import('@heddle/jobs-domain');
  const types = [...new Set<string>(PUBLISHED_EVENTS.map((event) => event.type))];
  if (type !== undefined && !types.includes(type))
    throw codedFailure('unknown_event', `unknown event type "${type}"`, EXIT.failed, `types: ${types.join(', ')}`);
  const ofType = PUBLISHED_EVENTS.filter((event) => type === undefined || event.type === type);
  const found = ofType.filter((event) => version === null || event.schemaVersion === Number(version));
  if (found.length === 0) {
    const newest = Math.max(...ofType.map(({ schemaVersion }) => schemaVersion));
    const message = `${type ?? 'no event type'} has no schema version ${version}; the newest is ${newest}`;
    throw codedFailure('unknown_event', message, EXIT.failed, 'leave out --version');
  }
  for (const { type: name, schemaVersion, schema } of found)
    terminal.printJson({ type: name, schema_version: schemaVersion, schema });
  if (terminal.json) return EXIT.done;
  if (type === undefined) {
    for (const event of found) terminal.print(`${event.type} ${event.schemaVersion}`);
    return EXIT.done;
  }
  terminal.print(JSON.stringify(found.at(-1)?.schema, null, 2));
  return EXIT.done;
}
