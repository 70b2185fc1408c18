import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventPage, PUBLISHED_EVENTS } from '@heddle/jobs-domain';
import { format, resolveConfig } from 'prettier';

const SCHEMAS = 'libs/jobs/domain/schemas';
const SAMPLES = 'libs/jobs/domain/samples';
const PAGES = 'docs/events';
/** SHA-256 of every released schema and sample: a line is added with a new version and never changed. */
const RELEASED = 'libs/jobs/domain/released-events.json';

const INDEX = `# Stored events

The log keeps these events for ever. Each schema version has a page here and a JSON Schema in
[libs/jobs/domain/schemas](../../libs/jobs/domain/schemas); \`heddle history schema\` prints the schemas. The payload is the field \`data\` of an
event line. [The event log](../architecture/02-event-log.md) describes the envelope.

A released schema is never edited: a changed shape is a new version with a decoder of its own.

<!-- Generated from the codec: node tools/write-event-pages.ts -->
`;

/** Schemas and pages by path, as the codec gives them, formatted. */
export async function publishedFiles(root: string): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  const add = async (path: string, text: string): Promise<void> => {
    const options = await resolveConfig(join(root, path));
    files.set(path, await format(text, { ...options, filepath: path }));
  };
  for (const event of PUBLISHED_EVENTS) {
    await add(`${SCHEMAS}/${event.type}.v${event.schemaVersion}.json`, JSON.stringify(event.schema));
    await add(`${PAGES}/${event.type}.v${event.schemaVersion}.md`, eventPage(event));
  }
  const list = PUBLISHED_EVENTS.map(
    ({ type, schemaVersion }) => `- [${type} ${schemaVersion}](${type}.v${schemaVersion}.md)`,
  );
  await add(`${PAGES}/README.md`, `${INDEX}\n${list.join('\n')}\n`);
  return files;
}

/** Schemas and pages are what the codec gives, and no released schema or sample was edited or removed. */
export async function publishedEventProblems(root: string): Promise<string[]> {
  const problems: string[] = [];
  for (const [path, text] of await publishedFiles(root))
    if (!existsSync(join(root, path)) || readFileSync(join(root, path), 'utf8') !== text)
      problems.push(`${path} is not what the codec gives: run node tools/write-event-pages.ts`);
  return [...problems, ...releasedProblems(root)];
}

export function releasedProblems(root: string): string[] {
  const released = JSON.parse(readFileSync(join(root, RELEASED), 'utf8')) as Readonly<Record<string, string>>;
  const found = hashesAt(root);
  const gone = Object.keys(released).filter((path) => !found.has(path));
  const changed = [...found].filter(([path, hash]) => released[path] !== hash);
  return [
    ...gone.map((path) => `${path} is released and was removed: events of this version are in logs, put it back`),
    ...changed.map(([path, hash]) =>
      released[path] === undefined
        ? `${path} is not frozen yet: add the line "${path}": "${hash}" to ${RELEASED}`
        : `${path} is released and was edited: put it back, and add a new schema version instead`,
    ),
  ];
}

/** By content without whitespace: formatting changes no event. */
function hashesAt(root: string): Map<string, string> {
  const paths = [SCHEMAS, SAMPLES].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder.slice(folder.lastIndexOf('/') + 1)}/${name}`),
  );
  return new Map(
    paths.map((path) => {
      const content: unknown = JSON.parse(readFileSync(join(root, 'libs/jobs/domain', path), 'utf8'));
      return [path, createHash('sha256').update(JSON.stringify(content)).digest('hex')];
    }),
  );
}
