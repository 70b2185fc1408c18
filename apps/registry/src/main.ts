import 'reflect-metadata';
import { runService } from '@heddle/composition';
import { startRegistry } from './start-registry.js';

runService('registry', 'heddle registry', startRegistry);
