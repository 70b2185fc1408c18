import { adminCommand } from '../admin/admin-command.js';
import { oneName } from '../admin/one-name.js';
import { recordOf } from '../admin/read-parts.js';
import { EXIT } from '../failure.js';
import {
  DEPLOYMENT_OPTIONS,
  deploymentFields,
  ENVIRONMENT,
  ENVIRONMENT_NOTES,
  environmentIn,
  STAGE,
  tellPinned,
} from './deployment-options.js';
import { printDeployment } from './render-deployment.js';

export const deploymentsCreateCommand = adminCommand({
  name: 'deployments create',
  summary: 'create a dedicated deployment',
  words: 'LABEL',
  options: {
    stage: STAGE,
    account: { value: 'NAME', meaning: 'the only account that may use it; default: every account' },
    environment: { ...ENVIRONMENT, meaning: 'environment file (JSON), or builtin (default)' },
    provider: {
      value: 'P',
      meaning: 'where workers come from (local in standalone, else external)',
      choices: ['local', 'external'],
    },
    ...DEPLOYMENT_OPTIONS,
  },
  examples: ['heddle deployments create alpha', 'heddle deployments create beta --account acme --slots 2'],
  notes: async () => await Promise.resolve(ENVIRONMENT_NOTES),
  async run({ words, options, terminal, admin }) {
    const label = oneName(words, 'deployments create', 'the label of the new deployment');
    const environment = await environmentIn(options.text('environment'));
    const [stage, account, provider] = [options.text('stage'), options.text('account'), options.text('provider')];
    const body = {
      label,
      stage: stage ?? 'production',
      account,
      provider,
      environment,
      ...deploymentFields(options),
    };
    const answer = recordOf(await admin.call('POST', 'deployments', body));
    tellPinned(environment, answer, terminal);
    printDeployment(answer, terminal);
    return EXIT.done;
  },
});
