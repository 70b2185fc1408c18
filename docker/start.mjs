// First process of the image: its first argument chooses the program. It needs no shell, and programs of the command line
// end on SIGTERM, which the kernel hides from a first process without a handler.
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setSourceMapsSupport } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SERVICES = ['gateway', 'validation', 'assets', 'jobs', 'logs', 'registry', 'worker', 'standalone'];
/** Programs of the command line, and the words that stand before the given ones. */
const COMMANDS = { heddle: [], migrate: ['migrate'] };

const [name = 'standalone', ...words] = process.argv.slice(2);
const isCommand = Object.hasOwn(COMMANDS, name);
const file = join(ROOT, 'dist', `${isCommand ? 'cli' : name}.js`);
const known = [...SERVICES.filter((one) => existsSync(join(ROOT, 'dist', `${one}.js`))), ...Object.keys(COMMANDS)];
if (!known.includes(name)) {
  process.stderr.write(`heddle: no program "${name}" in this image; there are ${known.join(', ')}\n`);
  process.exit(2);
}
if (isCommand) for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(128));
if (name === 'standalone') listenBeyondLoopback();
// Those of node_modules would take a tenth of a second to read.
setSourceMapsSupport(true, { nodeModules: false });
process.argv = [process.argv[0], file, ...(COMMANDS[name] ?? []), ...words];
await import(file);

/** A published port leads to the container's own address, so a token is required: made once, in the data folder. */
function listenBeyondLoopback() {
  const { env } = process;
  if (env.HEDDLE_HOST) return;
  env.HEDDLE_HOST = '0.0.0.0';
  env.HEDDLE_ALLOWED_HOSTS ||= 'localhost';
  if (
    env.HEDDLE_STATIC_TOKEN ||
    env.HEDDLE_STATIC_TOKEN_FILE ||
    (env.HEDDLE_SURFACE ?? 'self-hosted') !== 'self-hosted'
  )
    return;
  const data = env.HEDDLE_DATA || join(ROOT, '.heddle');
  const kept = join(data, 'static-token');
  mkdirSync(data, { recursive: true });
  if (!existsSync(kept)) writeFileSync(kept, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  env.HEDDLE_STATIC_TOKEN = readFileSync(kept, 'utf8').trim();
  process.stdout.write(`heddle: the token of the API is in ${kept}\n`);
}
