import { Injectable } from '@nestjs/common';
import { invalidFields } from '@heddle/contracts-messages';
import type { PostedClasses, VersionName } from '@heddle/contracts-messages';
import { RejectionError } from '@heddle/platform-http';
import { setClasses } from '@heddle/registry-domain';
import { ADMIN, adminRefused, adminVersion } from '../answer-admin/admin-names.js';
import { acceptedEvents } from '../commit-events/accepted-events.js';
import { RegistryLog } from '../commit-events/registry-log.js';
import { keepClasses } from '../inspect-versions/keep-classes.js';
import { postedClasses } from './posted-classes.js';

/** The classes of a version as an extractor of the operator found them: once, in place of those found here. */
@Injectable()
export class PostClassesHandler {
  constructor(private readonly log: RegistryLog) {}

  async handle(name: VersionName, { success, reason, nodes }: PostedClasses): Promise<null> {
    const read = postedClasses(success ? nodes : {});
    if ('problems' in read) throw new RejectionError(invalidFields(read.problems));
    const classes = read.nodes;
    await this.log.commit(async (unit) => {
      const { version, id } = await adminVersion(unit, name);
      const status = success ? 'success' : 'failed';
      const found = { actor: ADMIN, status, reason, classes: classes.length } as const;
      const decided = (class_list: string) =>
        acceptedEvents(setClasses(version.state, { ...found, class_list }), {
          no_bytes: () => adminRefused('already_set', { case: 'no_bytes', id }),
          already_posted: () => adminRefused('already_set', { case: 'extraction' }),
        });
      // Refused before the classes are stored: nothing of 16 MiB is written for a refusal.
      decided('');
      const class_list = await keepClasses(unit.client, version.streamId, classes);
      await unit.changeVersion(version, decided(class_list));
    });
    return null;
  }
}
