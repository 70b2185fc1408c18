export { describeOnS3 } from './describe-on-s3.js';
