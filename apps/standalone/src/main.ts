import 'reflect-metadata';
import { runService } from '@heddle/composition';
import { startStandalone } from './standalone.js';

runService('standalone', 'heddle', startStandalone);
