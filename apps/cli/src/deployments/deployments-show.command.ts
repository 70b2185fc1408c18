import { adminCommand } from '../admin/admin-command.js';
import { noWords, oneName } from '../admin/one-name.js';
import { recordOf } from '../admin/read-parts.js';
import { EXIT } from '../failure.js';
import { deploymentPath, STAGE } from './deployment-options.js';
import { printDeployment, printDeployments } from './render-deployment.js';

export const deploymentsShowCommand = adminCommand({
  name: 'deployments show',
  summary: 'show a deployment with its status, workers and jobs',
  words: 'LABEL',
  options: { stage: STAGE },
  examples: ['heddle deployments show alpha', 'heddle deployments show alpha --json | jq -r .status'],
  async run({ words, options, terminal, admin }) {
    const label = oneName(words, 'deployments show', 'the label of a deployment');
    printDeployment(recordOf(await admin.call('GET', deploymentPath(label, options))), terminal);
    return EXIT.done;
  },
});

export const deploymentsListCommand = adminCommand({
  name: 'deployments list',
  summary: 'list deployments by label',
  words: '',
  options: {},
  examples: ['heddle deployments list', 'heddle deployments list --json | jq -r .label'],
  async run({ words, terminal, admin }) {
    noWords(words, 'deployments list');
    const { deployments } = recordOf(await admin.call('GET', 'deployments'));
    printDeployments(Array.isArray(deployments) ? deployments.map((deployment) => recordOf(deployment)) : [], terminal);
    return EXIT.done;
  },
});
