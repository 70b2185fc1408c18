import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { defaultPoolOf, isUuid } from '@heddle/contracts-messages';
import type { Command, CommandCall } from '../command-line/command.js';
import { EXIT, wrongUsage } from '../failure.js';
import { fileErrorText, unreadableText } from '../file-error.js';

const DAY_S = 86_400;
const MAX_DAYS = 3_650;
const MINUTE_S = 60;
const MAX_MINUTES = 1_440;
const MAX_REVISION = 2 ** 31 - 1;

export const serviceTokenCommand: Command = {
  name: 'service-token',
  summary: 'create a signing key, or tokens for calls between services',
  words: '[SERVICE]',
  isLocal: true,
  options: {
    'new-key': {
      value: null,
      meaning: 'print a new key pair: the private key signs tokens, the public key verifies them',
    },
    key: { value: 'FILE', meaning: 'private key (PEM) that signs the tokens' },
    for: {
      value: 'SERVICE',
      meaning: 'the called service; default: one token per line for each service that SERVICE calls',
    },
    deployment: {
      value: 'ID',
      meaning: 'deployment of the worker: an id, self-hosted or managed; default for a worker: self-hosted',
    },
    revision: { value: 'N', meaning: 'revision of the deployment that the worker runs' },
    days: { value: 'DAYS', meaning: 'lifetime of the tokens in days (365)' },
    minutes: {
      value: 'MINUTES',
      meaning: 'lifetime in minutes, for tokens that are renewed in HEDDLE_SERVICE_TOKEN_FILE',
    },
  },
  examples: [
    'heddle service-token --new-key --json | jq -r .private_key > signing-key.pem',
    'heddle service-token jobs --key signing-key.pem --days 90',
    'heddle service-token gateway --key signing-key.pem --minutes 15 > gateway.new && mv gateway.new gateway.token',
    'heddle service-token worker --key signing-key.pem --deployment 0199f2a4-7c11-7d9e-a1f0-3b6f2f1c9d10 --days 30',
  ],
  async run({ words, options, terminal }) {
    const { issueServiceToken, newServiceKeyPair } = await import('@heddle/platform-service-calls');
    const { CALLED_SERVICES } = await import('@heddle/composition');
    if (options.on('new-key')) {
      if (words.length > 0)
        throw wrongUsage('--new-key takes no service', 'heddle service-token --new-key makes a key');
      const { privateKey, publicKey } = newServiceKeyPair();
      terminal.printJson({ private_key: privateKey, public_key: publicKey });
      if (!terminal.json) terminal.print(`${privateKey}${publicKey}`);
      return EXIT.done;
    }
    const [service, ...rest] = words;
    const keyFile = options.text('key');
    if (service === undefined || rest.length > 0) throw wrongUsage('service-token takes one service', 'e.g. gateway');
    if (keyFile === null) throw wrongUsage('--key is missing', 'service-token --new-key makes a key');
    const expiresAt = Math.floor(Date.now() / 1000) + lifeOf(options);
    const named = options.text('for');
    const services = [...new Set([...Object.keys(CALLED_SERVICES), ...Object.values(CALLED_SERVICES).flat()])];
    const unknown = [service, ...(named === null ? [] : [named])].find((name) => !services.includes(name));
    if (unknown !== undefined) throw wrongUsage(`"${unknown}" is not a service; one of ${services.join(', ')}`);
    const audiences = named === null ? (CALLED_SERVICES[service] ?? []) : [named];
    const pool = poolOf(service, options);
    const privateKey = readSigningKey(keyFile);
    const tokens = await Promise.all(
      audiences.map(async (audience) => {
        const token = await issueServiceToken(privateKey, { service, audience, ...pool, expiresAt });
        return { audience, token };
      }),
    );
    const text = tokens.map(({ token }) => token).join('\n');
    terminal.printJson({ service, token: text, tokens, expires_at: new Date(expiresAt * 1000).toISOString() });
    if (!terminal.json) terminal.print(text);
    return EXIT.done;
  },
};

interface TokenPool {
  readonly deploymentId: string | null;
  readonly revision: number;
}

/** The pool of a worker; the tokens of other services name none. */
export function poolOf(service: string, options: CommandCall['options']): TokenPool {
  const [deployment, revision] = [options.text('deployment'), options.text('revision')];
  if (service !== 'worker') {
    if (deployment === null && revision === null) return { deploymentId: null, revision: 0 };
    throw wrongUsage(`--deployment and --revision are for tokens of a worker, not of ${service}`);
  }
  const named = deployment ?? 'self-hosted';
  const known = named === 'self-hosted' || named === 'managed' ? defaultPoolOf(named) : null;
  const deploymentId = known?.deploymentId ?? named.toLowerCase();
  if (!isUuid(deploymentId)) {
    throw wrongUsage(`--deployment must be the id of a deployment, self-hosted or managed, not "${named}"`);
  }
  return { deploymentId, revision: revision === null ? 0 : wholeNumber('revision', revision, MAX_REVISION) };
}

/** Seconds. */
function lifeOf(options: CommandCall['options']): number {
  const [days, minutes] = [options.text('days'), options.text('minutes')];
  if (days !== null && minutes !== null) throw wrongUsage('--days and --minutes exclude each other');
  if (minutes !== null) return wholeNumber('minutes', minutes, MAX_MINUTES) * MINUTE_S;
  return daysOf(days);
}

/** Seconds; `days` as given, 365 by default. */
export function daysOf(days: string | null): number {
  return wholeNumber('days', days ?? '365', MAX_DAYS) * DAY_S;
}

function wholeNumber(option: string, text: string, most: number): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw wrongUsage(`--${option} must be a whole number from 1 to ${most}, not "${text}"`, `e.g. --${option} 15`);
}

/** An Ed25519 key in PEM form; anything else is wrong usage. */
export function readSigningKey(file: string, option = '--key'): string {
  const nextStep = 'heddle service-token --new-key makes a key';
  try {
    const text = readFileSync(file, 'utf8');
    if (createPrivateKey(text).asymmetricKeyType === 'ed25519') return text;
  } catch (error) {
    if (fileErrorText(error) !== null) throw wrongUsage(unreadableText(`${option} ${file}`, error), nextStep);
  }
  throw wrongUsage(`${option} ${file} holds no private Ed25519 key in PEM form`, nextStep);
}
