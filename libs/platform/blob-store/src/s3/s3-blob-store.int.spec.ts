import { describeOnS3 } from '@heddle/platform-local-servers/conformance';
import { describeBlobStore } from '../conformance.js';
import { S3BlobStore } from './s3-blob-store.js';

describeOnS3('on a real server', (server) => {
  describeBlobStore('in an S3 bucket', async () => {
    const { endpoint, accessKey, secretKey, region } = server();
    const store = await S3BlobStore.open({ endpoint, accessKey, secretKey, region, bucket: 'conformance' });
    return { store, end: () => Promise.resolve() };
  });
});
