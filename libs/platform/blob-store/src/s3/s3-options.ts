/** S3's minimum size of every part but the last (AWS, multipart upload limits). */
export const MIN_PART_BYTES = 5 * 1024 * 1024;
/** S3's maximum number of parts per object. */
export const MAX_PARTS = 10_000;

export interface S3BlobStoreOptions {
  /** `http(s)://host[:port]`, no path. */
  readonly endpoint: string;
  /** Endpoint in signed URLs, if clients reach the store by another name; default `endpoint`. */
  readonly publicEndpoint?: string;
  readonly bucket: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** Default `us-east-1`. */
  readonly region?: string;
  /** Bucket as the first path segment or as a label of the host name; default `path`. */
  readonly addressing?: 'path' | 'host';
  /** Key prefix of the objects in the bucket; default `b/`. */
  readonly prefix?: string;
  /** Default 5 MiB; a writer holds two parts. */
  readonly partBytes?: number;
  /** Sends CRC-32 with each part; false for stores that refuse the header. */
  readonly checksums?: boolean;
  readonly deadlines?: Partial<S3Deadlines>;
  /** Attempts per call while the store is unreachable; default 3. */
  readonly attempts?: number;
  /** Maximum connections; default 64. */
  readonly connections?: number;
}

/** Time-outs in milliseconds. */
interface S3Deadlines {
  /** A call without content, and the first byte of a read. */
  readonly callMs: number;
  /** One part or one small object. */
  readonly transferMs: number;
  /** Combining the parts into one object. */
  readonly completeMs: number;
  /** Silence of the store during a read. */
  readonly silenceMs: number;
  /** The health check. */
  readonly healthMs: number;
}

const DEADLINES: S3Deadlines = {
  callMs: 10_000,
  transferMs: 60_000,
  completeMs: 120_000,
  silenceMs: 30_000,
  healthMs: 2_000,
};

export type S3Settings = Required<Omit<S3BlobStoreOptions, 'deadlines'>> & { readonly deadlines: S3Deadlines };

/** Applies the defaults; throws an error that names the setting if a value is not valid. */
export function s3Settings(options: S3BlobStoreOptions): S3Settings {
  for (const [name, setting] of REQUIRED) {
    if (options[name] === '') throw new Error(`${setting} is empty`);
  }
  if (!BUCKET_NAME.test(options.bucket)) {
    throw new Error(
      `HEDDLE_S3_BUCKET is ${JSON.stringify(options.bucket)}, expected 3 to 63 of a-z, 0-9, - and ., first and last a letter or digit`,
    );
  }
  const partBytes = options.partBytes ?? MIN_PART_BYTES;
  if (partBytes < MIN_PART_BYTES) throw new Error(`a part has ${partBytes} bytes, S3 takes ${MIN_PART_BYTES} or more`);
  return {
    region: 'us-east-1',
    addressing: 'path',
    prefix: 'b/',
    checksums: true,
    attempts: 3,
    connections: 64,
    ...options,
    partBytes,
    publicEndpoint: options.publicEndpoint ?? options.endpoint,
    deadlines: { ...DEADLINES, ...options.deadlines },
  };
}

const BUCKET_NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const REQUIRED = [
  ['bucket', 'HEDDLE_S3_BUCKET'],
  ['accessKey', 'HEDDLE_S3_ACCESS_KEY'],
  ['secretKey', 'HEDDLE_S3_SECRET_KEY'],
] as const;
