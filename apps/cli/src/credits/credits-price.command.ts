import { MAX_PRICE_PER_JOB, MAX_PRICE_PER_SECOND } from '@heddle/contracts-messages';
import { adminCommand } from '../admin/admin-command.js';
import { oneName } from '../admin/one-name.js';
import { STAGE } from '../deployments/deployment-options.js';
import { EXIT, wrongUsage } from '../failure.js';
import { fieldsOf } from './credits-answers.js';

export const creditsPriceCommand = adminCommand({
  name: 'credits price',
  summary: 'show or set what a deployment charges for a job',
  words: 'LABEL',
  options: {
    stage: STAGE,
    'per-job': { value: 'N', meaning: 'whole credits for a job that succeeds' },
    'per-second': { value: 'N', meaning: 'credits for a second of the attempt that ends the job, up to 6 decimals' },
  },
  examples: [
    'heddle credits price managed',
    'heddle credits price managed --per-job 2 --per-second 0.25',
    'heddle credits price alpha --stage staging --per-job 0 --json',
  ],
  notes: async () =>
    await Promise.resolve([
      'managed is the label of the managed surface. What is not given stays as it is.',
      'A submission reserves the most that its job can cost; its end gives the rest back.',
    ]),
  async run({ words, options, terminal, admin }) {
    const label = oneName(words, 'credits price', 'the label of a deployment');
    const perJob = numberIn(
      'per-job',
      options.text('per-job'),
      /^\d{1,10}$/,
      `a whole number up to ${MAX_PRICE_PER_JOB}, such as 2`,
    );
    const perSecond = numberIn(
      'per-second',
      options.text('per-second'),
      /^\d{1,7}(\.\d{1,6})?$/,
      `a number up to ${MAX_PRICE_PER_SECOND} with up to 6 decimals, such as 0.25`,
    );
    const path = `prices/${encodeURIComponent(label)}?stage=${encodeURIComponent(options.text('stage') ?? 'production')}`;
    const change = {
      ...(perJob === null ? {} : { per_job: perJob }),
      ...(perSecond === null ? {} : { per_second: perSecond }),
    };
    const isSet = Object.keys(change).length > 0;
    const answer = isSet ? await admin.call('PUT', path, change) : await admin.call('GET', path);
    const price = fieldsOf(answer, ['deployment', 'per_job', 'per_second']);
    terminal.printJson(price);
    if (!terminal.json)
      for (const [name, value] of Object.entries(price)) terminal.print(`${name.padEnd(12)}${String(value)}`);
    return EXIT.done;
  },
});

function numberIn(option: string, text: string | null, form: RegExp, wanted: string): number | null {
  if (text === null) return null;
  if (!form.test(text)) throw wrongUsage(`--${option} ${JSON.stringify(text)} is not a price`, `give ${wanted}`);
  return Number(text);
}
