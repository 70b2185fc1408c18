import { SURFACES } from '@heddle/contracts-messages';
import { httpUrlFault, isLoopback, readEach, SettingRefused, variablesOf } from '@heddle/platform-settings';
import type { SettingValues } from '@heddle/platform-settings';
import { NearestName } from '@heddle/workflow-graph';
import { READ_BY, SETTINGS } from './settings-table.js';
import type { SettingKey } from './settings-table.js';

/** Default distance from the port of the API to the health port */
const OPS_PORT_DISTANCE = 1_000;

/** Every setting of the table by its key, read once from the environment. */
export type Settings = SettingValues<typeof SETTINGS> & { readonly effectiveOpsPort: number };

interface ReadOptions {
  /** Problems that are already known, for example of flags */
  readonly refusals?: readonly string[];
  /** The sentence for a listen host that cannot be resolved; it replaces every other sentence about this host. */
  readonly hostRefusal?: string | null;
  /** Name of the process. Services of a cluster read a part of the settings, other processes all of them. */
  readonly of?: string;
}

/** Reads the environment, and refuses all invalid settings at once. */
export function readSettings(
  env: Readonly<Record<string, string | undefined>>,
  { refusals = [], hostRefusal = null, of }: ReadOptions = {},
): Settings {
  const { values, refused: unreadable } = readEach(SETTINGS, env);
  const read = keysReadBy(of);
  const refused = new Map(unreadable);
  if (hostRefusal !== null && read.has('host')) refused.set('host', hostRefusal);
  const broken = CONFLICTS.flatMap(({ between, concerns = between, refusal }) => {
    // Conflicts are checked only between valid settings, and only if the process reads them: a jobs service never drains workers.
    const isChecked = concerns.every((key) => read.has(key)) && !between.some((key) => refused.has(key));
    const found = isChecked ? refusal(values) : null;
    return found === null ? [] : [found];
  });
  const all = [...refusals, ...refused.values(), ...broken];
  if (all.length > 0) throw SettingRefused.of(all);
  const effectiveOpsPort = values.opsPort ?? (values.port === 0 ? 0 : values.port + OPS_PORT_DISTANCE);
  return { ...values, effectiveOpsPort };
}

function keysReadBy(process: string | undefined): ReadonlySet<SettingKey> {
  const all = Object.keys(SETTINGS) as SettingKey[];
  const byService: Readonly<Record<string, readonly SettingKey[]>> = READ_BY;
  return new Set(process === undefined ? all : (byService[process] ?? all));
}

/** Variables that only the `heddle` command reads, with the service's setting for the same purpose */
const OF_THE_COMMAND: Readonly<Record<string, string>> = {
  HEDDLE_URL: 'HEDDLE_HOST and HEDDLE_PORT set where the service listens',
  HEDDLE_TOKEN: 'HEDDLE_STATIC_TOKEN sets the token that the service asks for',
  HEDDLE_REGISTRY_URL: 'HEDDLE_REGISTRY_PORT sets where the registry is served',
  HEDDLE_REGISTRY_TOKEN: 'the registry makes its tokens itself',
  HEDDLE_ADMIN_URL: 'the admin API is served on the operations port',
};

/** Names that people try, too far in letters from the setting that they mean */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  HEDDLE_HEALTH_HOST: 'HEDDLE_OPS_HOST',
  HEDDLE_HEALTH_PORT: 'HEDDLE_OPS_PORT',
  HEDDLE_METRICS_HOST: 'HEDDLE_OPS_HOST',
  HEDDLE_METRICS_PORT: 'HEDDLE_OPS_PORT',
  HEDDLE_ADMIN_PORT: 'HEDDLE_OPS_PORT',
};

/** One line for each HEDDLE_ variable that no service reads, with the setting that was probably meant. */
export function unknownSettings(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = new Set(Object.values(SETTINGS).flatMap(variablesOf));
  const nearest = new NearestName(known);
  return Object.keys(env)
    .filter((name) => name.startsWith('HEDDLE_') && !known.has(name))
    .map((name) => {
      const instead = OF_THE_COMMAND[name];
      if (instead !== undefined) return `${name} is a setting of the heddle command, ignored here; ${instead}`;
      const meant = OTHER_WORDS[name] ?? nearest.of(name);
      const hint = meant === null ? 'heddle serve --help lists every setting' : `did you mean ${meant}?`;
      return `unknown setting ${name}, ignored; ${hint}`;
    });
}

type Values = SettingValues<typeof SETTINGS>;

interface Conflict {
  readonly between: readonly SettingKey[];
  /** A process that reads these checks it; by default those of `between`. */
  readonly concerns?: readonly SettingKey[];
  /** Names the conflict and its solution; null if there is none. */
  refusal(values: Values): string | null;
}

/** Between the end of the last URL and the deletion of the bytes, for clocks that differ and downloads that run. */
const URL_MARGIN_S = 900;

function longerThanStop(setting: string, drainS: number, stopS: number): string | null {
  if (drainS <= stopS) return null;
  return `${setting} ${drainS} is longer than a whole stop: set it to HEDDLE_STOP_S (${stopS}) or less, or raise HEDDLE_STOP_S`;
}

/** Rules between settings */
const CONFLICTS: readonly Conflict[] = [
  {
    between: ['host', 'surface', 'staticToken'],
    refusal: ({ host, surface, staticToken }) =>
      surface === 'self-hosted' && staticToken === null ? openHost(host, 'HEDDLE_STATIC_TOKEN') : null,
  },
  {
    between: ['host', 'surface', 'managedHosts', 'publicBaseUrl'],
    refusal: ({ host, surface, managedHosts, publicBaseUrl }) =>
      surface === 'managed' && managedHosts.length === 0 && publicBaseUrl === null
        ? openHost(host, 'HEDDLE_MANAGED_HOSTS or HEDDLE_PUBLIC_BASE_URL')
        : null,
  },
  {
    between: ['host', 'surface', 'deploymentHost'],
    refusal: ({ host, surface, deploymentHost }) =>
      surface === 'dedicated' && deploymentHost === null ? openHost(host, 'HEDDLE_DEPLOYMENT_HOST') : null,
  },
  {
    between: ['deploymentHost', 'publicBaseUrl'],
    refusal: ({ deploymentHost, publicBaseUrl }) =>
      deploymentHost === null || publicBaseUrl === null
        ? null
        : 'HEDDLE_PUBLIC_BASE_URL and HEDDLE_DEPLOYMENT_HOST exclude each other: links follow the host of each request',
  },
  {
    between: ['deploymentHost', 'managedHosts'],
    refusal: ({ deploymentHost, managedHosts }) => {
      const taken = managedHosts.find((host) => host === deploymentHost || host.endsWith(`.${deploymentHost}`));
      return deploymentHost === null || taken === undefined
        ? null
        : `HEDDLE_MANAGED_HOSTS lists ${taken}, which belongs to HEDDLE_DEPLOYMENT_HOST ${deploymentHost}: name a host outside of it`;
    },
  },
  {
    between: ['surface', 'staticToken'],
    refusal: ({ surface, staticToken }) =>
      SURFACES[surface].credential === 'static' || staticToken === null
        ? null
        : `HEDDLE_STATIC_TOKEN is for the self-hosted surface: with HEDDLE_SURFACE=${surface} requests carry API keys; unset it`,
  },
  {
    between: ['serviceToken', 'serviceTokenFile'],
    refusal: ({ serviceToken, serviceTokenFile }) =>
      serviceToken === null || serviceTokenFile === null
        ? null
        : 'HEDDLE_SERVICE_TOKEN and HEDDLE_SERVICE_TOKEN_FILE are both set: unset one of them',
  },
  {
    between: ['drain', 'stop'],
    refusal: ({ drain, stop }) => longerThanStop('HEDDLE_DRAIN_S', drain, stop),
  },
  {
    between: ['streamsDrain', 'stop'],
    refusal: ({ streamsDrain, stop }) => longerThanStop('HEDDLE_STREAMS_DRAIN_S', streamsDrain, stop),
  },
  {
    between: ['opsPort', 'port'],
    concerns: ['opsPort'],
    refusal: ({ opsPort, port }) =>
      opsPort === null && port > 65_535 - OPS_PORT_DISTANCE
        ? `HEDDLE_OPS_PORT would be ${port + OPS_PORT_DISTANCE}, HEDDLE_PORT plus ${OPS_PORT_DISTANCE}: set it to a port of 65535 or less`
        : null,
  },
  {
    between: ['opsPort', 'port'],
    refusal: ({ opsPort, port }) =>
      opsPort === port && port !== 0
        ? `HEDDLE_PORT and HEDDLE_OPS_PORT are both ${port}: the API and the health port need a port each`
        : null,
  },
  {
    between: ['surface', 'signedUrl', 'blobGrace'],
    // Bytes are deleted this long after their last record: a URL must have ended by then.
    refusal: ({ surface, signedUrl, blobGrace }) =>
      SURFACES[surface].content === 'bytes' || signedUrl <= blobGrace - URL_MARGIN_S
        ? null
        : `HEDDLE_SIGNED_URL_S ${signedUrl} is too long: the bytes of a deleted asset are kept for HEDDLE_BLOB_GRACE_S ` +
          `(${blobGrace}). ${shorterUrl(blobGrace)}raise HEDDLE_BLOB_GRACE_S to ${signedUrl + URL_MARGIN_S} or more`,
  },
  {
    between: ['databaseUrl'],
    // The URL holds a password, and is not repeated.
    refusal: ({ databaseUrl }) =>
      databaseUrl === null || URL.canParse(databaseUrl)
        ? null
        : 'HEDDLE_DATABASE_URL is not a URL, such as postgres://heddle:<password>@127.0.0.1:5432/heddle',
  },
  {
    between: ['engine'],
    refusal: ({ engine }) => (engine === 'builtin' ? null : engineRefusal(engine, httpUrlFault(engine))),
  },
  {
    between: ['bodyBudget', 'bodyBytes'],
    refusal: ({ bodyBudget, bodyBytes }) =>
      bodyBudget < bodyBytes
        ? `HEDDLE_BODY_BUDGET_BYTES ${bodyBudget} is too small for one body: set it to HEDDLE_BODY_BYTES (${bodyBytes}) or more`
        : null,
  },
  {
    between: ['s3Endpoint', 's3Bucket', 's3AccessKey', 's3SecretKey'],
    refusal: ({ s3Endpoint, s3Bucket, s3AccessKey, s3SecretKey }) =>
      s3Endpoint !== null && [s3Bucket, s3AccessKey, s3SecretKey].includes(null)
        ? 'HEDDLE_S3_ENDPOINT needs HEDDLE_S3_BUCKET, HEDDLE_S3_ACCESS_KEY and HEDDLE_S3_SECRET_KEY'
        : null,
  },
];

/** `needed`: keeps links and credentials safe where others reach the service. */
function openHost(host: string, needed: string): string | null {
  return isLoopback(host)
    ? null
    : `HEDDLE_HOST ${host} is reachable from other machines: set ${needed}, or leave HEDDLE_HOST at 127.0.0.1`;
}

/** Empty where the grace leaves no room for a URL. */
function shorterUrl(blobGrace: number): string {
  const longest = Math.floor(blobGrace - URL_MARGIN_S);
  return longest > 0 ? `Set it to ${longest} or less, or ` : 'You can ';
}

/** A text with an @ may hold a password, and is not repeated. */
function engineRefusal(engine: string, fault: string | null): string | null {
  const shown = engine.includes('@') ? 'the given text' : `"${engine}"`;
  return fault === null
    ? null
    : `HEDDLE_ENGINE must be builtin or the URL of an engine, such as http://127.0.0.1:8188: ${shown} ${fault}`;
}
