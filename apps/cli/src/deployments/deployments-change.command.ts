import { adminCommand } from '../admin/admin-command.js';
import { oneName } from '../admin/one-name.js';
import { withoutNote } from '../admin/read-parts.js';
import { EXIT, wrongUsage } from '../failure.js';
import {
  DEPLOYMENT_OPTIONS,
  deploymentFields,
  deploymentPath,
  ENVIRONMENT,
  ENVIRONMENT_NOTES,
  environmentIn,
  STAGE,
  tellPinned,
} from './deployment-options.js';
import { printDeployment } from './render-deployment.js';

const LABEL = 'the label of a deployment';

export const deploymentsSetCommand = adminCommand({
  name: 'deployments set',
  summary: 'change options of a deployment',
  words: 'LABEL',
  options: { stage: STAGE, ...DEPLOYMENT_OPTIONS },
  examples: ['heddle deployments set alpha --slots 4', 'heddle deployments set alpha --max-runtime default'],
  async run({ words, options, terminal, admin }) {
    const label = oneName(words, 'deployments set', LABEL);
    const fields = deploymentFields(options);
    if (Object.keys(fields).length === 0)
      throw wrongUsage('deployments set changes nothing without an option', 'heddle help deployments set lists them');
    printDeployment(
      withoutNote(await admin.call('POST', deploymentPath(label, options, 'set'), fields), terminal),
      terminal,
    );
    return EXIT.done;
  },
});

export const deploymentsRepinCommand = adminCommand({
  name: 'deployments repin',
  summary: 'pin another environment to a deployment',
  words: 'LABEL',
  options: { stage: STAGE, environment: ENVIRONMENT },
  examples: ['heddle deployments repin alpha --environment environment.json'],
  notes: async () => await Promise.resolve(ENVIRONMENT_NOTES),
  async run({ words, options, terminal, admin }) {
    const label = oneName(words, 'deployments repin', LABEL);
    const file = options.text('environment');
    if (file === null) throw wrongUsage('--environment is missing', 'it names the new environment');
    const path = deploymentPath(label, options, 'repin');
    const environment = await environmentIn(file);
    const answer = withoutNote(await admin.call('POST', path, environment), terminal);
    tellPinned(environment, answer, terminal);
    printDeployment(answer, terminal);
    return EXIT.done;
  },
});

const changing = (verb: string, summary: string) =>
  adminCommand({
    name: `deployments ${verb}`,
    summary,
    words: 'LABEL',
    options: { stage: STAGE },
    examples: [`heddle deployments ${verb} alpha`],
    async run({ words, options, terminal, admin }) {
      const label = oneName(words, `deployments ${verb}`, LABEL);
      printDeployment(withoutNote(await admin.call('POST', deploymentPath(label, options, verb)), terminal), terminal);
      return EXIT.done;
    },
  });

export const deploymentsPauseCommand = changing('pause', 'take no submissions, and let waiting jobs wait');
export const deploymentsResumeCommand = changing('resume', 'end a pause');
export const deploymentsDrainCommand = changing('drain', 'take no submissions, and stop when every job has ended');
export const deploymentsStartCommand = changing('start', 'start a deployment that was drained');
export const deploymentsDeleteCommand = changing('delete', 'delete a stopped deployment; its name is never used again');
