#!/usr/bin/env node
// The `heddle` command without npm: sets up what is missing, then runs the CLI under the pinned Node.
import { launch } from '../../../tools/heddle-run.mjs';

await launch('heddle', process.argv.slice(2));
