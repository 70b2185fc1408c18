#!/usr/bin/env node
// The `heddle` command without npm: starts the built CLI with Node 24, and never builds.
import { startBuilt } from '../../../tools/heddle-run.mjs';

await startBuilt('heddle', process.argv.slice(2));
