import 'reflect-metadata';
import { runService } from '@heddle/composition';
import { startAssets } from './start-assets.js';

runService('assets', 'heddle assets', startAssets);
