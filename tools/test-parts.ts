// The parts of `npm test` in run order. Every spec belongs to exactly one; specs without a matching pattern run with
// the integration tests, so that none is lost by its name.

export interface TestPart {
  readonly name: string;
  readonly title: string;
  readonly claims: (path: string) => boolean;
  /** Concurrent files on two cores: more if they mostly wait, one if they measure time. */
  readonly workers: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Runs another part's end-to-end specs again in this environment. */
  readonly again?: { readonly part: string };
  /** The checks start beside it: its specs start no processes and wait for little. */
  readonly besideChecks?: boolean;
  /** Files share a worker, which loads each module once. */
  readonly sharesWorkers?: boolean;
  /** Runs through Nx by project: unchanged projects come from the cache. */
  readonly cached?: boolean;
  /** Needs Apache Kafka and the S3 server, which are fetched and built once. */
  readonly onServers?: boolean;
  /** Needs Helm and its like, which are built once. */
  readonly onChartTools?: 'chart tools' | 'further chart tools';
  /** Runs only if it is named: its tools take minutes to build on a fresh machine. */
  readonly onlyByName?: boolean;
  /** Runs only if it is named and this environment variable is set. */
  readonly onlyWith?: string;
}

/** Their tools take minutes to build, beside the parts before them. */
const ON_FURTHER_TOOLS = /^test\/charts\/(helm-3|score|prometheus)\.e2e\.spec\.ts$/;

const isUnit = (path: string): boolean => !/\.(int|e2e)\.spec\.ts$/.test(path) && !path.startsWith('test/');

export const TEST_PARTS: readonly TestPart[] = [
  {
    name: 'unit',
    title: 'unit specs',
    claims: isUnit,
    workers: 2,
    env: { TEST_SERVERS: 'none' },
    besideChecks: true,
    sharesWorkers: true,
    cached: true,
  },
  {
    name: 'int',
    title: 'integration specs',
    claims: (path) => path.endsWith('.int.spec.ts') && !path.startsWith('test/'),
    workers: 3,
    sharesWorkers: true,
    cached: true,
  },
  {
    name: 'api',
    title: 'API, one file per endpoint',
    claims: (path) => path.startsWith('test/api/'),
    workers: 3,
    sharesWorkers: true,
    env: { API_SUITE_SHARES: '1' },
  },
  {
    name: 'managed',
    title: 'the same API suite on the managed surface',
    claims: () => false,
    workers: 3,
    sharesWorkers: true,
    env: { API_SUITE_SHARES: '1', HEDDLE_TEST_SURFACE: 'managed' },
    again: { part: 'api' },
  },
  {
    name: 'cluster',
    title: 'the same API suite on the cluster',
    claims: () => false,
    workers: 2,
    sharesWorkers: true,
    env: { HEDDLE_TEST_TOPOLOGY: 'cluster' },
    again: { part: 'api' },
    onServers: true,
  },
  {
    name: 'e2e',
    title: 'commands end to end',
    claims: (path) => path.endsWith('.e2e.spec.ts') && !path.startsWith('test/'),
    workers: 2,
  },
  {
    name: 'proxy',
    title: 'in front of an engine',
    claims: (path) => path.startsWith('test/proxy/') || path.startsWith('test/clients/'),
    workers: 3,
  },
  {
    name: 'scenarios',
    title: 'long stories',
    claims: (path) => /^test\/(scenarios|observability|projections|upgrade)\//.test(path),
    workers: 4,
    onServers: true,
  },
  { name: 'security', title: 'hostile input', claims: (path) => path.startsWith('test/security/'), workers: 2 },
  {
    name: 'chaos',
    title: 'crashes',
    claims: (path) => path.startsWith('test/chaos/'),
    workers: 3,
    onServers: true,
  },
  {
    name: 'charts',
    title: 'charts and images',
    claims: (path) => path.startsWith('test/charts/') && !ON_FURTHER_TOOLS.test(path),
    workers: 2,
    onChartTools: 'chart tools',
  },
  {
    name: 'charts-full',
    title: 'charts with Helm 3, kube-score and Prometheus',
    claims: (path) => ON_FURTHER_TOOLS.test(path),
    workers: 2,
    onChartTools: 'further chart tools',
  },
  {
    name: 'verify-cluster',
    title: 'the charts on simulated nodes',
    claims: (path) => path.startsWith('test/kube-simulated/'),
    workers: 1,
    onlyByName: true,
  },
  {
    name: 'verify-node',
    title: 'the charts on a real node, and what else needs root',
    claims: (path) => path.startsWith('test/kube-node/'),
    workers: 1,
    env: { TEST_SERVERS: 'none' },
    onlyByName: true,
  },
  {
    name: 'engine',
    title: 'against a real engine',
    claims: (path) => path.startsWith('test/engine/'),
    workers: 1,
    onlyWith: 'HEDDLE_TEST_ENGINE',
  },
];

export function partOf(path: string): string {
  return TEST_PARTS.find((part) => part.claims(path))?.name ?? 'int';
}

/** The specs of a part. */
export function specsOf(part: TestPart, specs: readonly string[]): string[] {
  if (part.again === undefined) return specs.filter((path) => partOf(path) === part.name);
  return specs.filter((path) => partOf(path) === part.again?.part && path.endsWith('.e2e.spec.ts'));
}
