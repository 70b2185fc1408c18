import { wrapWords } from '@heddle/composition';

const PARAGRAPHS = [
  'Starts PostgreSQL, Apache Kafka and an S3 server as local processes, then every service and a worker as processes of their own, and prints "heddle ready URL". A process that ends is started again. Ctrl-C stops everything, in order.',
  'HEDDLE_DATABASE_URL, HEDDLE_KAFKA_BROKERS and HEDDLE_S3_ENDPOINT name servers to use instead of local ones.',
  'Needs Java 17, Maven and Go (for the local servers).',
];

const OPTIONS: readonly (readonly [string, string])[] = [
  [
    '--replicas jobs=2,gateway=2',
    'replicas of a service; a local round-robin proxy serves several gateways; worker=0 starts no worker, for workers of your own',
  ],
  [
    '--deployments alpha=1,beta=2',
    'dedicated deployments, made unless they are there, and the workers of each; HEDDLE_SURFACE defaults to managed and HEDDLE_DEPLOYMENT_HOST to run.localhost',
  ],
  ['--brokers 3', 'Kafka brokers (default 1)'],
  ['--detach', 'return when the cluster is ready, and leave it running'],
  ['--status [--json]', 'processes of the cluster in the data folder: state, ports, logs, restarts'],
  ['--down', 'stop the cluster in the data folder'],
  ['--data DIR', 'folder for data, logs and state (default .heddle/cluster)'],
  ['--port PORT', 'listen port of the API (default 8189)'],
  ['--<setting> VALUE', 'any other setting; npm run heddle -- serve --help lists them'],
];

const EXAMPLES = ['npm run cluster -- --replicas jobs=2,gateway=2 --detach', 'npm run cluster -- --status'];

/** The launcher's help, broken between words so that no line exceeds `columns`. */
export function renderHelp(columns: number): string {
  const left = Math.max(...OPTIONS.map(([option]) => option.length)) + 4;
  return [
    'npm run cluster [-- OPTIONS]',
    '',
    ...PARAGRAPHS.flatMap((paragraph) => wrapWords(paragraph, columns)),
    '',
    ...OPTIONS.flatMap(([option, meaning]) =>
      wrapWords(meaning, columns - left).map((line, at) => (at === 0 ? `  ${option}` : '').padEnd(left) + line),
    ),
    '',
    ...EXAMPLES.map((example) => `  ${example}`),
  ].join('\n');
}
