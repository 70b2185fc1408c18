import type { GoProgram } from '../go-program.js';

/** The S3 server for tests and developers: one binary, files below one folder. */
export const S3_SERVER: GoProgram = {
  name: 'versitygw',
  package: 'github.com/versity/versitygw/cmd/versitygw',
  version: 'v1.7.0',
};
