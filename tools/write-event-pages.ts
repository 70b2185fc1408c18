// Writes the schemas and pages of stored events from the codec; `npm run lint -- events` compares them. Needs a build.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publishedFiles } from './checks/published-events.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
for (const [path, text] of await publishedFiles(root)) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}
