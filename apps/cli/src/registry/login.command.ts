import { text } from 'node:stream/consumers';
import { PUBLISHER_TOKEN } from '@heddle/platform-credentials';
import { ApiError } from '../api/api-error.js';
import { CliFailure, EXIT, wrongUsage } from '../failure.js';
import { onePublisher } from './publishers.command.js';
import type { RegistryClient } from './registry-client.js';
import { registryCommand } from './registry-command.js';
import { saveToken, tokenFile } from './saved-tokens.js';

export const loginCommand = registryCommand({
  name: 'registry login',
  summary: "keep a publisher's token for the other commands, readable by you alone",
  words: 'PUBLISHER',
  options: {},
  examples: ['heddle registry login acme < token.txt', 'HEDDLE_REGISTRY_TOKEN=hdr_... heddle registry login acme'],
  notes: () =>
    Promise.resolve([
      'The token is that of --token or HEDDLE_REGISTRY_TOKEN, else it is read from standard input. One that the registry does not accept is not kept.',
    ]),
  async run({ words, terminal, env, registry }) {
    const publisher = onePublisher(words, 'registry login');
    const set = registry.givenToken;
    if (set === null && process.stdin.isTTY) terminal.say(`paste the token of ${publisher}, then Enter and Ctrl-D:`);
    const token = (set ?? (await text(process.stdin))).trim();
    if (PUBLISHER_TOKEN.idIn(token) === null)
      throw wrongUsage(
        `that is not the token of a publisher: it has the form ${PUBLISHER_TOKEN.prefix}ID_SECRET_CHECKSUM`,
        `heddle registry create-token ${publisher} --name NAME makes one`,
      );
    await assertAccepted(registry, publisher, token);
    await saveToken(env, registry.base, publisher, token);
    terminal.printJson({ publisher, registry: registry.base });
    if (!terminal.json) terminal.print(`the token of ${publisher} at ${registry.base} is kept in ${tokenFile(env)}`);
    return EXIT.done;
  },
});

/** No version can have this name: the registry looks at the token, and at nothing after it. */
const NO_VERSION = '/nodes/-/versions/0.0.0';
/** What it answers to a good token; one that is limited, or whose publisher is banned, may do less. */
const ACCEPTED: readonly string[] = ['not_found', 'forbidden', 'publisher_banned'];

async function assertAccepted(registry: RegistryClient, publisher: string, token: string): Promise<void> {
  try {
    await registry.call('PUT', `/publishers/${publisher}${NO_VERSION}`, { as: { token }, body: {} });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (ACCEPTED.includes(error.code)) return;
    if (error.code !== 'invalid_token') throw error;
    const step = `nothing was kept; heddle registry tokens ${publisher} lists the tokens of ${publisher} that are good`;
    throw new CliFailure(error.message, error.exitCode, step, error.error);
  }
}
