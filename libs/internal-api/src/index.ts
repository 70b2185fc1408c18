export { CALLS } from './internal-calls.js';
export { serveJobsPort } from './jobs/serve-jobs-port.js';
export { RemoteJobs } from './jobs/remote-jobs.js';
