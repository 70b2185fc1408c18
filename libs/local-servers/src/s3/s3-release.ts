/** The S3 server of tests and of a developer's machine: one binary, files below one folder. */
export const S3_SERVER_VERSION = 'v1.7.0';
export const S3_SERVER_MODULE = 'github.com/versity/versitygw/cmd/versitygw';
/** Smaller by a third, and without the paths of the machine that built it. */
export const BUILD_FLAGS = ['-trimpath', '-ldflags', '-s -w'] as const;
