import 'reflect-metadata';
import { runService } from '@heddle/composition';
import { startJobs } from './start-jobs.js';

runService('jobs', 'heddle jobs', startJobs);
