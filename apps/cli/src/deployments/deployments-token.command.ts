import { adminCommand } from '../admin/admin-command.js';
import { oneName } from '../admin/one-name.js';
import { recordOf } from '../admin/read-parts.js';
import { EXIT, wrongUsage } from '../failure.js';
import { readSigningKey } from '../prepare-cluster/service-token.command.js';
import { deploymentPath, STAGE } from './deployment-options.js';

const LIFE_S = 365 * 86_400;

export const deploymentsTokenCommand = adminCommand({
  name: 'deployments token',
  summary: 'issue the token of a worker of a deployment',
  words: 'LABEL',
  options: { stage: STAGE, key: { value: 'FILE', meaning: 'private key (PEM) that signs the token' } },
  examples: ['heddle deployments token alpha --key signing-key.pem --json | jq -r .token'],
  async run({ words, options, terminal, admin }) {
    const label = oneName(words, 'deployments token', 'the label of a deployment');
    const keyFile = options.text('key');
    if (keyFile === null) throw wrongUsage('--key is missing', 'heddle service-token --new-key makes a key');
    const key = readSigningKey(keyFile);
    const shown = recordOf(await admin.call('GET', deploymentPath(label, options)));
    const revision = Number(shown['next_revision'] ?? shown['revision']);
    const { issueServiceToken } = await import('@heddle/platform-service-calls');
    const expiresAt = Math.floor(Date.now() / 1000) + LIFE_S;
    const worker = { service: 'worker', deploymentId: String(shown['deployment_id']), revision, expiresAt };
    const { CALLED_SERVICES } = await import('@heddle/composition');
    const tokens = await Promise.all(
      (CALLED_SERVICES['worker'] ?? []).map((audience) => issueServiceToken(key, { ...worker, audience })),
    );
    const token = tokens.join('\n');
    terminal.printJson({ token, expires_at: new Date(expiresAt * 1000).toISOString() });
    if (!terminal.json) terminal.print(token);
    return EXIT.done;
  },
});
