import 'reflect-metadata';
import { runService } from '@heddle/composition';
import { startGateway } from './start-gateway.js';

runService('gateway', 'heddle gateway', startGateway);
