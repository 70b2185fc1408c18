import { TOKEN_ACTIONS, TOKEN_LIFE_S } from '@heddle/contracts-registry';
import { orNamed } from '../api/api-error.js';
import { wholeNumber } from '../command-line/read-arguments.js';
import type { Option } from '../command-line/command.js';
import { EXIT, wrongUsage } from '../failure.js';
import { plainText } from '../terminal/plain-text.js';
import { listed, oneOf } from './listed-values.js';
import { publisherId } from './node-name.js';
import { recordIn, recordsIn, textIn } from './registry-answers.js';
import { registryCommand } from './registry-command.js';
import { printFacts, printRecords } from './render-facts.js';
import type { FieldColumn } from './render-facts.js';

const { min, max, default: life } = TOKEN_LIFE_S;

const NAME: Option = { value: 'TEXT', meaning: 'name that people see' };

const COLUMNS: readonly FieldColumn[] = [
  { title: 'TOKEN', field: 'id', whole: true },
  { title: 'NAME', field: 'name', shrinks: true },
  { title: 'ACTIONS', field: 'actions' },
  { title: 'NODES', field: 'nodes', shrinks: true },
  { title: 'CREATED', field: 'created_at' },
  { title: 'EXPIRES', field: 'expires_at' },
  { title: 'LAST USED', field: 'last_used_at' },
];

export const createPublisherCommand = registryCommand({
  name: 'registry create-publisher',
  summary: 'create a publisher of node packages; its id is for ever',
  words: 'ID',
  options: { name: NAME },
  examples: ['heddle registry create-publisher acme --name "Acme Imaging"'],
  async run({ words, options, terminal, registry }) {
    const id = onePublisher(words, 'registry create-publisher');
    const name = given(options.text('name'), 'e.g. heddle registry create-publisher acme --name "Acme Imaging"');
    const publisher = recordIn(await registry.call('POST', '/publishers', { as: 'account', body: { id, name } }));
    terminal.printJson(publisher);
    if (terminal.json) return EXIT.done;
    const status = textIn(publisher, 'status').replace('PublisherStatus', '').toLowerCase();
    printFacts(id, { ...publisher, status }, ['name', 'status', 'createdAt'], terminal);
    terminal.say(`next: heddle registry create-token ${id} --name CI`);
    return EXIT.done;
  },
});

export const createTokenCommand = registryCommand({
  name: 'registry create-token',
  summary: 'create a token that publishes for a publisher; it is shown once',
  words: 'PUBLISHER',
  options: {
    name: { value: 'TEXT', meaning: 'what the token is for' },
    'expires-in': { value: 'SECONDS', meaning: `life of the token, ${min} to ${max} (${life})` },
    nodes: { value: 'A,B', meaning: 'ids of the only nodes that it is for; default: every node of the publisher' },
    actions: {
      value: 'A,B',
      meaning: `what it may do: ${TOKEN_ACTIONS.join(', ')} (publish,deprecate)`,
      choices: TOKEN_ACTIONS,
    },
  },
  examples: [
    'heddle registry create-token acme --name CI',
    'heddle registry create-token acme --name CI --json | jq -r .token | heddle registry login acme',
  ],
  async run({ words, options, terminal, registry }) {
    const publisher = onePublisher(words, 'registry create-token');
    const name = given(options.text('name'), 'e.g. heddle registry create-token acme --name CI');
    const expiresIn = wholeNumber(options, 'expires-in', { min, max });
    const actions = listed(options, 'actions')?.map((action) => oneOf(action, TOKEN_ACTIONS, 'actions')) ?? null;
    const body = { name, expires_in: expiresIn, nodes: listed(options, 'nodes'), actions };
    const made = recordIn(await registry.call('POST', tokensPath(publisher), { as: 'account', body }));
    terminal.printJson(made);
    if (terminal.json) return EXIT.done;
    terminal.say(`token ${textIn(made, 'id')} of ${publisher}, good until ${textIn(made, 'expires_at')}`);
    terminal.say(`it is not shown again; heddle registry login ${publisher} keeps it for the other commands:`);
    terminal.print(plainText(textIn(made, 'token')));
    return EXIT.done;
  },
});

export const tokensCommand = registryCommand({
  name: 'registry tokens',
  summary: 'list the tokens of a publisher',
  words: 'PUBLISHER',
  options: {},
  examples: ['heddle registry tokens acme', 'heddle registry tokens acme --json | jq -r .id'],
  async run({ words, terminal, registry }) {
    const publisher = onePublisher(words, 'registry tokens');
    const tokens = recordsIn(await registry.call('GET', tokensPath(publisher), { as: 'account' }));
    printRecords(tokens, COLUMNS, terminal, `${publisher} has no tokens`);
    return EXIT.done;
  },
});

export const revokeTokenCommand = registryCommand({
  name: 'registry revoke-token',
  summary: 'revoke a token of a publisher; no publish is accepted with it any more',
  words: 'PUBLISHER ID',
  options: {},
  examples: ['heddle registry revoke-token acme a1b2c3d4e5f6g7h8'],
  async run({ words, terminal, registry }) {
    const publisher = publisherId(words[0], 'registry revoke-token');
    const [, id = '', ...rest] = words;
    if (id === '' || rest.length > 0)
      throw wrongUsage('registry revoke-token takes a publisher and a token id', `heddle registry tokens ${publisher}`);
    await orNamed(
      registry.call('DELETE', `${tokensPath(publisher)}/${encodeURIComponent(id)}`, { as: 'account' }),
      `${publisher} has no token ${id}`,
      `heddle registry tokens ${publisher} lists them`,
    );
    terminal.printJson({ revoked: id });
    if (!terminal.json) terminal.print(`${plainText(id)} is revoked`);
    return EXIT.done;
  },
});

export function onePublisher(words: readonly string[], command: string): string {
  if (words.length > 1) throw wrongUsage(`${command} takes one publisher, not ${words.length}`);
  return publisherId(words[0], command);
}

function tokensPath(publisher: string): string {
  return `/publishers/${encodeURIComponent(publisher)}/tokens`;
}

function given(text: string | null, nextStep: string): string {
  if (text !== null && text !== '') return text;
  throw wrongUsage('--name is missing', nextStep);
}
