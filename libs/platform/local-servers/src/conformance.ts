// What suites of other libraries run on; apart from the package's root, because it loads the test runner.
export { describeOnS3 } from './s3/describe-on-s3.js';
