import type { Surface } from '@heddle/contracts-messages';
import { AUTH_FAILURES } from '@heddle/platform-http/failed-credentials';
import {
  AT_LEAST_ONE,
  declareSettings,
  optionalText,
  optionalWholeNumber,
  readDeclared,
  positiveSeconds,
  seconds,
  text,
  wholeNumber,
} from '@heddle/platform-settings';
import type { SettingValues } from '@heddle/platform-settings';

/** What an operator sets of the registry. */
export const REGISTRY_SETTINGS = declareSettings('registry', {
  registryPort: optionalWholeNumber(
    'REGISTRY_PORT',
    { min: 0, max: 65_535 },
    {
      unit: 'port',
      meaning: 'port of the registry',
      unsetMeans: '/registry at the origin of the API; in a cluster a free port',
    },
  ),
  registryPublicUrl: optionalText('REGISTRY_PUBLIC_URL', {
    meaning: 'address of the registry in its links; unset: that of the request',
  }),
  registryPublishers: wholeNumber('REGISTRY_PUBLISHERS', 5, AT_LEAST_ONE, {
    unit: 'publishers',
    meaning: 'maximum publishers of an account',
  }),
  registryUpload: positiveSeconds('REGISTRY_UPLOAD_S', 900, { meaning: 'life of an upload URL' }),
  registryPending: positiveSeconds('REGISTRY_PENDING_S', 86_400, {
    meaning: 'time after which a version without bytes is deleted; its number stays open',
  }),
  registryArchiveBytes: wholeNumber('REGISTRY_ARCHIVE_BYTES', 100 * 1024 ** 2, AT_LEAST_ONE, {
    unit: 'bytes',
    meaning: 'maximum size of the archive of a version',
  }),
  registryReadRate: seconds('REGISTRY_READ_RATE', 100, { unit: '1/s', meaning: 'maximum rate of reads of an address' }),
  registryReadBurst: wholeNumber('REGISTRY_READ_BURST', 400, AT_LEAST_ONE, {
    unit: 'reads',
    meaning: 'maximum burst of reads of an address',
  }),
  registryNewNodesDay: wholeNumber('REGISTRY_NEW_NODES_DAY', 50, AT_LEAST_ONE, {
    unit: 'nodes',
    meaning: 'maximum new nodes of a publisher in a day',
  }),
  registryVersionsDay: wholeNumber('REGISTRY_VERSIONS_DAY', 20, AT_LEAST_ONE, {
    unit: 'versions',
    meaning: 'maximum new versions of a node in a day',
  }),
  registrySigningKeys: optionalText('REGISTRY_SIGNING_KEYS', {
    unit: 'file',
    meaning: 'Ed25519 keys that sign versions, one id:base64 a line, the last one signs; unset: made in HEDDLE_DATA',
  }),
  registryReserved: optionalText('REGISTRY_RESERVED', {
    unit: 'file',
    meaning: 'reserved node ids, one a line',
  }),
  registryForges: text('REGISTRY_FORGES', 'github.com,gitlab.com,codeberg.org', {
    unit: 'a,b',
    meaning: 'hosts of repositories from which a node may be claimed',
  }),
});

type Values = SettingValues<typeof REGISTRY_SETTINGS>;

/** What an operator set, in the context's own terms: durations in milliseconds. */
export function registrySettings(values: Values, others: Partial<RegistrySettings>): RegistrySettings {
  return new RegistrySettings({ ...others, ...ofOperator(values) });
}

function ofOperator(values: Values) {
  return {
    publicUrl: values.registryPublicUrl?.replace(/\/$/, '') ?? null,
    publishers: values.registryPublishers,
    uploadMs: values.registryUpload * 1_000,
    pendingMs: values.registryPending * 1_000,
    archiveBytes: values.registryArchiveBytes,
    readRate: values.registryReadRate,
    readBurst: values.registryReadBurst,
    newNodesDay: values.registryNewNodesDay,
    versionsDay: values.registryVersionsDay,
    forges: values.registryForges.split(',').map((host) => host.trim().toLowerCase()),
  };
}

const DEFAULTS = ofOperator(readDeclared(REGISTRY_SETTINGS, {}));

/** Settings of the registry. The defaults come from the declarations. */
export class RegistrySettings {
  readonly surface: Surface = 'self-hosted';
  /** Guards what needs an account, on self-hosted. */
  readonly staticToken: string | null = null;
  readonly authFailures: number = AUTH_FAILURES;
  readonly trustForwarded: boolean = false;
  readonly publicScheme: 'http' | 'https' = 'http';
  /** Without a last slash; null: that of the request. */
  readonly publicUrl: string | null = DEFAULTS.publicUrl;
  /** Path of the registry at the origin of the API: `/registry`, or "" on a port of its own. */
  readonly prefix: string = '';
  readonly publishers: number = DEFAULTS.publishers;
  readonly uploadMs: number = DEFAULTS.uploadMs;
  readonly pendingMs: number = DEFAULTS.pendingMs;
  /** Sweeps wait after a larger jump of the database's clock, until it is right or has stayed for this long. */
  readonly clockToleranceMs: number = 300_000;
  readonly archiveBytes: number = DEFAULTS.archiveBytes;
  /** Minimum rate of an upload, over `slowBodyMs`. */
  readonly slowBodyBytesPerSecond: number = 16_384;
  readonly slowBodyMs: number = 30_000;
  readonly readRate: number = DEFAULTS.readRate;
  readonly readBurst: number = DEFAULTS.readBurst;
  readonly newNodesDay: number = DEFAULTS.newNodesDay;
  readonly versionsDay: number = DEFAULTS.versionsDay;
  /** Keys of reserved node ids. */
  readonly reserved: ReadonlySet<string> = new Set();
  readonly forges: readonly string[] = DEFAULTS.forges;
  /** Where uploads are written before they are judged. */
  readonly uploadFolder: string = '';

  constructor(values: Partial<RegistrySettings> = {}) {
    Object.assign(this, values);
  }
}
