// Writes the files of the charts that follow from other files; `npm run verify:charts` compares them. Needs a build.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chartReadme, readmeOf } from './chart-readme.ts';
import { settingsFiles } from './chart-settings.ts';
import { DASHBOARD_FILE, dashboardFile } from './dashboard.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

for (const [path, content] of Object.entries(settingsFiles())) writeFileSync(join(ROOT, path), content);
for (const chart of ['heddle', 'heddle-deployment'])
  writeFileSync(join(ROOT, readmeOf(chart)), await chartReadme(ROOT, chart));
writeFileSync(join(ROOT, DASHBOARD_FILE), dashboardFile());
