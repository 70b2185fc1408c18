import { Injectable } from '@nestjs/common';
import { invalidFields, refuse } from '@heddle/contracts-messages';
import type { PostedClasses, VersionName } from '@heddle/contracts-messages';
import { RejectionError } from '@heddle/platform-http';
import { setClasses } from '@heddle/registry-domain';
import { ADMIN, adminVersion } from '../answer-admin/admin-names.js';
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
      const found = { actor: ADMIN, status, reason, class_list: '', classes: classes.length } as const;
      const first = setClasses(version.state, found);
      if (!first.ok) {
        throw new RejectionError(
          first.rejection === 'no_bytes'
            ? refuse('already_set', { case: 'no_bytes', id })
            : refuse('already_set', { case: 'extraction' }),
        );
      }
      const class_list = await keepClasses(unit.client, version.streamId, classes);
      const decision = setClasses(version.state, { ...found, class_list });
      if (decision.ok) await unit.changeVersion(version, decision.events);
    });
    return null;
  }
}
