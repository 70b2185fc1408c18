/** The S3 server for tests and developers: one binary, files below one folder. */
export const S3_SERVER_VERSION = 'v1.7.0';
export const S3_SERVER_MODULE = 'github.com/versity/versitygw/cmd/versitygw';
/** A third smaller, and without paths of the building machine. */
export const BUILD_FLAGS = ['-trimpath', '-ldflags', '-s -w'] as const;
