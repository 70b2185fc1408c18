import { text } from 'node:stream/consumers';
import { PUBLISHER_TOKEN } from '@heddle/platform-credentials';
import { secretValue } from '../command-line/env-value.js';
import { EXIT, wrongUsage } from '../failure.js';
import { onePublisher } from './publishers.command.js';
import { registryCommand } from './registry-command.js';
import { saveToken, tokenFile } from './saved-tokens.js';

export const loginCommand = registryCommand({
  name: 'registry login',
  summary: "keep a publisher's token for the other commands, readable by you alone",
  words: 'PUBLISHER',
  options: {},
  examples: ['heddle registry login acme < token.txt', 'HEDDLE_REGISTRY_TOKEN=hdr_... heddle registry login acme'],
  notes: () => Promise.resolve(['The token is read from HEDDLE_REGISTRY_TOKEN, else from standard input.']),
  async run({ words, terminal, env, registry }) {
    const publisher = onePublisher(words, 'registry login');
    const set = secretValue(env, 'HEDDLE_REGISTRY_TOKEN');
    if (set === null && process.stdin.isTTY) terminal.say(`paste the token of ${publisher}, then Enter and Ctrl-D:`);
    const token = (set ?? (await text(process.stdin))).trim();
    if (PUBLISHER_TOKEN.idIn(token) === null)
      throw wrongUsage(
        `that is not the token of a publisher: it has the form ${PUBLISHER_TOKEN.prefix}ID_SECRET_CHECKSUM`,
        `heddle registry create-token ${publisher} --name NAME makes one`,
      );
    await saveToken(env, registry.base, publisher, token);
    terminal.printJson({ publisher, registry: registry.base });
    if (!terminal.json) terminal.print(`the token of ${publisher} at ${registry.base} is kept in ${tokenFile(env)}`);
    return EXIT.done;
  },
});
