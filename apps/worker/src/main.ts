import { runService } from '@heddle/composition';
import { startWorkerProcess } from './start-worker-process.js';

runService('worker', 'heddle worker', startWorkerProcess);
