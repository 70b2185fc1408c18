import {
  declareSettings,
  flag,
  optionalText,
  optionalWholeNumber,
  positiveSeconds,
  text,
  wholeNumber,
} from '@heddle/platform-settings';

const MANY_BYTES = { min: 0, max: 2 ** 50 };

/** Data folder of a process */
export const DATA_SETTINGS = declareSettings('storage', {
  data: text('DATA', '.heddle', { unit: 'folder', meaning: 'folder of the embedded PostgreSQL and of blobs' }),
});

/** Database of a service */
export const DATABASE_SETTINGS = declareSettings('storage', {
  databaseUrl: optionalText('DATABASE_URL', {
    meaning: "an owner's URL of a PostgreSQL 15+; unset: embedded",
    secret: true,
  }),
  databasePool: wholeNumber(
    'DATABASE_POOL',
    8,
    { min: 2, max: 1_000 },
    {
      unit: 'connections',
      meaning: 'maximum connections of a service process to the database, beside 4 for reads and 1 for probes',
    },
  ),
});

/** Database of the deployments that a jobs service serves beside the managed surface */
export const DEPLOYMENTS_DATABASE_SETTINGS = declareSettings('storage', {
  deploymentsDatabaseUrl: optionalText('DEPLOYMENTS_DATABASE_URL', {
    meaning: 'in a cluster on managed and dedicated: URL of the role heddle_deployments',
    secret: true,
  }),
});

/** Settings of a process that writes to a disk */
export const DISK_SETTINGS = declareSettings('storage', {
  diskFree: optionalWholeNumber('DISK_FREE_BYTES', MANY_BYTES, {
    unit: 'bytes',
    meaning: 'minimum free space of a written disk before readyz reports degraded: disk',
    unsetMeans: '1 GiB or 2 % of the disk, whichever is less',
  }),
  diskLook: positiveSeconds('DISK_LOOK_S', 5, { meaning: 'interval between two checks of the free space' }),
});

/** URLs of roles for `heddle migrate`, beside that of the deployments */
export const ROLE_DATABASE_SETTINGS = declareSettings('storage', {
  jobsDatabaseUrl: roleUrl('JOBS_DATABASE_URL'),
  assetsDatabaseUrl: roleUrl('ASSETS_DATABASE_URL'),
  logsDatabaseUrl: roleUrl('LOGS_DATABASE_URL'),
  accountsDatabaseUrl: roleUrl(
    'ACCOUNTS_DATABASE_URL',
    '; a gateway reads it in place of DATABASE_URL, and the registry reads it',
  ),
  registryDatabaseUrl: roleUrl('REGISTRY_DATABASE_URL'),
});

function roleUrl(name: string, beside = '') {
  const role = `heddle_${name.replace('_DATABASE_URL', '').toLowerCase()}`;
  return optionalText(name, {
    meaning: `URL whose password heddle migrate gives the role ${role}; unset: a password derived from the owner's${beside}`,
    secret: true,
  });
}

/** Object store */
export const S3_SETTINGS = declareSettings('s3', {
  s3Endpoint: optionalText('S3_ENDPOINT', { meaning: 'unset: blobs in the data folder' }),
  s3Bucket: optionalText('S3_BUCKET', { meaning: 'with S3_ENDPOINT' }),
  s3AccessKey: optionalText('S3_ACCESS_KEY', { meaning: 'with S3_ENDPOINT', secret: true }),
  s3SecretKey: optionalText('S3_SECRET_KEY', { meaning: 'with S3_ENDPOINT', secret: true }),
  s3Region: text('S3_REGION', 'us-east-1', { meaning: 'with S3_ENDPOINT' }),
  s3Checksums: flag('S3_CHECKSUMS', true, {
    meaning: 'CRC-32 with each part; false for stores that refuse the header',
  }),
  s3PathStyle: flag('S3_PATH_STYLE', true, { meaning: 'bucket in the path; false: in the host name' }),
  s3PublicEndpoint: optionalText('S3_PUBLIC_ENDPOINT', { meaning: 'with S3_ENDPOINT: as clients reach it' }),
});
