// Who may import whom, by the Nx tags in each package.json (CONTRIBUTING.md, "Boundaries").

/** What every domain may import. */
const SHARED_BY_DOMAINS = ['scope:decision', 'scope:event-codec'];
/** Each service and pure library belongs to one scope; these are the other scopes that it may import. */
const SEEN_BY_SERVICES = ['scope:contracts', 'scope:platform', 'scope:engine', 'scope:workflow', ...SHARED_BY_DOMAINS];
const SERVICE_SCOPES = [
  'gateway',
  'accounts',
  'assets',
  'jobs',
  'deployments',
  'validation',
  'logs',
  'registry',
  'partner-proxy',
  'worker',
  'internal-api',
  'admin',
];
/** Each sees the form of a decision and of stored events besides its own scope. */
const DOMAIN_SCOPES = ['accounts', 'assets', 'jobs', 'deployments', 'registry', 'partner-proxy', 'workflow'];

const byType = [
  { sourceTag: 'type:domain', onlyDependOnLibsWithTags: ['type:domain'], allowedExternalImports: [] },
  { sourceTag: 'type:contract', onlyDependOnLibsWithTags: ['type:contract'], allowedExternalImports: [] },
  {
    sourceTag: 'type:platform',
    // The engine's own protocol answers with the verdicts of the graph rules.
    onlyDependOnLibsWithTags: ['type:contract', 'type:platform', 'scope:workflow'],
  },
  {
    sourceTag: 'type:service',
    onlyDependOnLibsWithTags: ['type:domain', 'type:contract', 'type:platform'],
    notDependOnLibsWithTags: ['engine:implementation'],
  },
  {
    sourceTag: 'type:composition',
    onlyDependOnLibsWithTags: ['type:domain', 'type:contract', 'type:platform', 'type:service', 'scope:composition'],
  },
  {
    // What starts a cluster and its servers on one machine: nothing that serves a client depends on it.
    sourceTag: 'type:launcher',
    onlyDependOnLibsWithTags: ['type:contract', 'type:platform', 'type:service', 'scope:composition', 'type:launcher'],
  },
];

/** What a test runner brings has no place in what is shipped: suites lie in `.suite.ts` files and below libs/testing. */
const shipped = byType.map((rule) => ({ ...rule, bannedExternalImports: ['vitest'] }));

const byScope = [
  ...DOMAIN_SCOPES.map((scope) => ({
    allSourceTags: ['type:domain', `scope:${scope}`],
    onlyDependOnLibsWithTags: [`scope:${scope}`, ...SHARED_BY_DOMAINS],
  })),
  ...SERVICE_SCOPES.map((scope) => ({
    allSourceTags: ['type:service', `scope:${scope}`],
    onlyDependOnLibsWithTags: [`scope:${scope}`, ...SEEN_BY_SERVICES],
  })),
];

const testing = { sourceTag: 'type:testing', onlyDependOnLibsWithTags: ['*'] };

function withConstraints(depConstraints, allow = []) {
  return {
    allow,
    enforceBuildableLibDependency: false,
    depConstraints,
    // Nx requires a library that is lazily loaded in one place to be so everywhere; start-up times show where it
    // matters.
    checkDynamicDependenciesExceptions: ['@heddle/**'],
    // The entry of the command is the launcher's, and the transcript of the README runs the command.
    ignoredCircularDependencies: [['tools', '@heddle/cli']],
  };
}

export const boundaries = withConstraints([...shipped, ...byScope, testing]);

/** Specs see what their library sees, the test kits besides, and any npm package. */
export const boundariesOfSpecs = withConstraints(
  [
    ...[...byType, ...byScope].map(({ allowedExternalImports: _, notDependOnLibsWithTags: __, ...rest }) => ({
      ...rest,
      onlyDependOnLibsWithTags: [...rest.onlyDependOnLibsWithTags, 'type:testing', 'type:launcher'],
    })),
    testing,
  ],
  // The launcher runs before anything is installed, so it belongs to no package. What writes the files of charts and images is
  // no package either, and the specs of the files ask it.
  [
    '../../tools/apply-patches.mjs',
    '../../tools/heddle-run.mjs',
    '../../tools/charts/**',
    '../../tools/images/**',
    '../../tools/kube/**',
  ],
);
