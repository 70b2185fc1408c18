import { readFileSync } from 'node:fs';
import type { Command } from '../command-line/command.js';
import { EXIT, wrongUsage } from '../failure.js';

const DAY_S = 86_400;
const MOST_DAYS = 3_650;

export const serviceTokenCommand: Command = {
  name: 'service-token',
  summary: 'make the key that signs services, or the token that proves who a service is to others',
  words: '[SERVICE]',
  options: {
    'new-key': {
      value: null,
      meaning: 'print a new key pair: the private half signs tokens, services know the public one',
    },
    key: { value: 'FILE', meaning: 'private key (PEM) that signs the token' },
    deployment: { value: 'ID', meaning: 'a worker of this deployment alone' },
    days: { value: 'DAYS', meaning: 'how long the token is good for (365)' },
  },
  examples: [
    'heddle service-token --new-key --json | jq -r .private_key > signing-key.pem',
    'heddle service-token jobs --key signing-key.pem',
    'heddle service-token worker --key signing-key.pem --deployment 0199f2a4-7c11-7d9e-a1f0-3b6f2f1c9d10 --days 30',
  ],
  async run({ words, options, terminal }) {
    const { issueServiceToken, newServiceKeyPair } = await import('@heddle/platform-service-calls');
    if (options.on('new-key')) {
      const { privateKey, publicKey } = newServiceKeyPair();
      terminal.printJson({ private_key: privateKey, public_key: publicKey });
      if (!terminal.json) terminal.print(`${privateKey}${publicKey}`);
      return EXIT.done;
    }
    const [service, ...rest] = words;
    const keyFile = options.text('key');
    if (service === undefined || rest.length > 0) throw wrongUsage('service-token takes one service', 'e.g. gateway');
    if (keyFile === null) throw wrongUsage('--key is missing', 'service-token --new-key makes a key');
    const days = Number(options.text('days') ?? 365);
    if (!Number.isInteger(days) || days < 1 || days > MOST_DAYS) {
      throw wrongUsage(`--days must be a whole number from 1 to ${MOST_DAYS}`, 'e.g. --days 90');
    }
    const expiresAt = Math.floor(Date.now() / 1000) + days * DAY_S;
    const token = issue(() =>
      issueServiceToken(readFileSync(keyFile, 'utf8'), {
        service,
        deploymentId: options.text('deployment'),
        expiresAt,
      }),
    );
    terminal.printJson({ service, token, expires_at: new Date(expiresAt * 1000).toISOString() });
    if (!terminal.json) terminal.print(token);
    return EXIT.done;
  },
};

function issue(make: () => string): string {
  try {
    return make();
  } catch (error) {
    throw wrongUsage(error instanceof Error ? error.message : String(error), 'service-token --new-key makes a key');
  }
}
