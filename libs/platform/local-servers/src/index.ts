export { checkS3Server, installS3Server, S3ServerMissingError } from './s3/install-s3-server.js';
export { startS3Server } from './s3/start-s3-server.js';
export type { RunningS3, S3ServerOptions } from './s3/start-s3-server.js';
