import 'reflect-metadata';
import { runService } from '@heddle/composition';
import { startValidation } from './start-validation.js';

runService('validation', 'heddle validation', startValidation);
