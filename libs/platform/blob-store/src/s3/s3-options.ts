/** The least that S3 takes for every part but the last one (AWS, multipart upload limits). */
export const MIN_PART_BYTES = 5 * 1024 * 1024;
/** The most parts that S3 takes for one object. */
export const MAX_PARTS = 10_000;

export interface S3BlobStoreOptions {
  /** `http(s)://host[:port]`, no path. */
  readonly endpoint: string;
  /** What signed URLs point at, where clients reach the store by another name; `endpoint`. */
  readonly publicEndpoint?: string;
  readonly bucket: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** `us-east-1`. */
  readonly region?: string;
  /** The bucket as the first segment of the path, or as a label of the host name; `path`. */
  readonly addressing?: 'path' | 'host';
  /** Where the objects lie in the bucket; `b/`. */
  readonly prefix?: string;
  /** 5 MiB; a writer holds two of them. */
  readonly partBytes?: number;
  /** CRC-32 with each part; false for stores that refuse the header. */
  readonly checksums?: boolean;
  readonly deadlines?: Partial<S3Deadlines>;
  /** How often a call is tried while the store is away; 3. */
  readonly attempts?: number;
  /** Connections at most; 64. */
  readonly connections?: number;
}

/** Milliseconds. */
export interface S3Deadlines {
  /** Of a call without content, and to the first byte of a read. */
  readonly callMs: number;
  /** Of one part or one small object. */
  readonly transferMs: number;
  /** Until the parts are one object. */
  readonly completeMs: number;
  /** Silence of the store in the middle of a read. */
  readonly silenceMs: number;
  /** Of the look whether the store is there. */
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

/** Fills in what was left out; throws where a value cannot be used, naming its setting. */
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
