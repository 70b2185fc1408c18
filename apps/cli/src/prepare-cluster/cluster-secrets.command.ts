import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Command } from '../command-line/command.js';
import { EXIT, wrongUsage } from '../failure.js';
import { fileErrorText, unreadableText } from '../file-error.js';
import { daysOf, poolOf, readSigningKey } from './service-token.command.js';

/** A release of Helm is 53 characters at most. */
const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
/** Characters: Helm's limit and that of Kubernetes. */
const MAX_NAME = { release: 53, namespace: 63 };
const NEEDED = 'heddle cluster-secrets --owner-url-file owner-url --signing-key signing-key.pem';

export const clusterSecretsCommand: Command = {
  name: 'cluster-secrets',
  summary: 'print the Kubernetes Secrets of a release as manifests',
  words: '',
  isLocal: true,
  options: {
    'owner-url-file': { value: 'FILE', meaning: "URL of the database's owner, with the password" },
    'signing-key': { value: 'FILE', meaning: 'private key (PEM) that signs the tokens of the services' },
    release: { value: 'NAME', meaning: 'name of the Helm release (heddle)' },
    namespace: { value: 'NAME', meaning: 'namespace of the Secrets; default: that of kubectl' },
    days: { value: 'DAYS', meaning: 'lifetime of the tokens in days (365)' },
    deployment: { value: 'ID', meaning: 'deployment of the worker: an id, self-hosted (default) or managed' },
  },
  examples: [NEEDED, `${NEEDED} --namespace heddle --days 90 | kubectl apply -f -`],
  notes: async () =>
    await Promise.resolve([
      'It prints the Secrets RELEASE-database, RELEASE-identity and RELEASE-auth, and calls no server.',
      'If the name of the release does not contain heddle, they are RELEASE-heddle-database and so on.',
      'Create the Secrets of S3 and Kafka yourself.',
      'The passwords of roles are those that heddle migrate derives from the password of the owner.',
      'RELEASE-auth follows from the signing key: keep that Secret when you change the key, or API keys and sealed credentials become invalid.',
    ]),
  async run({ words, options, terminal }) {
    if (words.length > 0) throw wrongUsage('cluster-secrets takes no arguments', NEEDED);
    const [ownerFile, keyFile] = [options.text('owner-url-file'), options.text('signing-key')];
    if (ownerFile === null) throw wrongUsage('--owner-url-file is missing', NEEDED);
    if (keyFile === null) throw wrongUsage('--signing-key is missing', 'heddle service-token --new-key makes a key');
    const release = named('release', options.text('release') ?? 'heddle');
    const given = options.text('namespace');
    const namespace = given === null ? {} : { namespace: named('namespace', given) };
    const fullName = release.includes('heddle') ? release : `${release}-heddle`;
    const signingKey = readSigningKey(keyFile, '--signing-key');
    const expiresAt = Math.floor(Date.now() / 1000) + daysOf(options.text('days'));
    const secrets = {
      database: await databaseUrls(ownerUrlIn(ownerFile), ownerFile),
      identity: await identity(signingKey, expiresAt, poolOf('worker', options)),
      auth: await authKeys(signingKey),
    };
    for (const [part, stringData] of Object.entries(secrets)) {
      const metadata = { name: `${fullName}-${part}`, ...namespace, labels: { 'app.kubernetes.io/part-of': 'heddle' } };
      const manifest = { apiVersion: 'v1', kind: 'Secret', metadata, type: 'Opaque', stringData };
      terminal.printJson(manifest);
      if (!terminal.json) terminal.print(`---\n${yamlOf(manifest).join('\n')}`);
    }
    return EXIT.done;
  },
};

async function databaseUrls(ownerUrl: string, file: string): Promise<Record<string, string>> {
  const { rolesOf } = await import('@heddle/composition/prepare-cluster');
  try {
    const roles = rolesOf(ownerUrl).map(({ service, databaseUrl }) => [`${service}-url`, databaseUrl] as const);
    return { 'owner-url': ownerUrl, ...Object.fromEntries(roles) };
  } catch {
    // The message of the error may hold the URL.
    throw wrongOwner(file);
  }
}

async function identity(
  signingKey: string,
  expiresAt: number,
  pool: ReturnType<typeof poolOf>,
): Promise<Record<string, string>> {
  const { issueServiceToken } = await import('@heddle/platform-service-calls');
  const { CALLED_SERVICES } = await import('@heddle/composition');
  const publicKey = createPublicKey(signingKey).export({ type: 'spki', format: 'pem' }).toString();
  const data: Record<string, string> = { 'public-key': publicKey };
  for (const [service, audiences] of Object.entries(CALLED_SERVICES)) {
    const claims = { service, expiresAt, ...(service === 'worker' ? pool : { deploymentId: null }) };
    const tokens = audiences.map((audience) => issueServiceToken(signingKey, { ...claims, audience }));
    data[`${service}-token`] = `${(await Promise.all(tokens)).join('\n')}\n`;
  }
  return data;
}

/** Those of every surface: each pod gets only the keys that it reads. */
async function authKeys(signingKey: string): Promise<Record<string, string>> {
  const { DerivedSecrets } = await import('./derived-secrets.js');
  const secrets = new DerivedSecrets(signingKey);
  return {
    'static-token': secrets.text('static-token'),
    'bootstrap-key': secrets.apiKey('bootstrap-key'),
    'admin-token': secrets.text('admin-token'),
    'key-pepper': secrets.text('key-pepper'),
    'credential-keys': secrets.keyFile('credential-keys'),
    'signed-url-keys': secrets.keyFile('signed-url-keys'),
    'registry-signing-keys': secrets.keyFile('registry-signing-keys'),
  };
}

function ownerUrlIn(file: string): string {
  try {
    const text = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
    const url = URL.canParse(text) ? new URL(text) : null;
    if (url?.protocol.startsWith('postgres') === true && url.password !== '') return text;
  } catch (error) {
    if (fileErrorText(error) !== null) throw wrongUsage(unreadableText(`--owner-url-file ${file}`, error), NEEDED);
  }
  throw wrongOwner(file);
}

function wrongOwner(file: string): Error {
  return wrongUsage(
    `--owner-url-file ${file} holds no URL of an owner with a password`,
    'for example postgres://heddle:<password>@db:5432/heddle',
  );
}

function named(option: keyof typeof MAX_NAME, text: string): string {
  const most = MAX_NAME[option];
  if (text.length <= most && NAME.test(text)) return text;
  throw wrongUsage(
    `--${option} must be a name of lower-case letters, digits and dashes, up to ${most} characters, not "${text}"`,
  );
}

/** A JSON string is a YAML string. */
function yamlOf(value: object, indent = ''): string[] {
  return Object.entries(value).flatMap(([key, one]: [string, unknown]) =>
    typeof one === 'object' && one !== null
      ? [`${indent}${key}:`, ...yamlOf(one, `${indent}  `)]
      : [`${indent}${key}: ${JSON.stringify(one)}`],
  );
}
