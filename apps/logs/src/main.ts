import 'reflect-metadata';
import { runService } from '@heddle/composition';
import { startLogs } from './start-logs.js';

runService('logs', 'heddle logs', startLogs);
