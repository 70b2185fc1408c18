// Writes docs/settings.md from the declarations of the settings; `npm run lint -- docs` compares the page with them. Needs a build.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { SETTINGS_PAGE, settingsPage } from './checks/settings-page.ts';

writeFileSync(fileURLToPath(new URL(`../${SETTINGS_PAGE}`, import.meta.url)), settingsPage());
