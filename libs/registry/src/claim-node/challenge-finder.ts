import { Injectable } from '@nestjs/common';
import { holdsChallenge } from './claim-places.js';
import { pinnedGet } from './pinned-get.js';
import type { PinnedGetOptions } from './pinned-get.js';

/** `absent`: the places were read, and none holds it. `unread`: one of them could not be read, and none holds it. */
export type Found = 'found' | 'absent' | 'unread';

/** Looks for a challenge where a publisher was told to put it. */
@Injectable()
export class ChallengeFinder {
  /** Specs reach a server of their own with other options. */
  readonly options: PinnedGetOptions | undefined = undefined;

  async find(places: readonly URL[], challenge: string): Promise<Found> {
    const all = await Promise.all(places.map((place) => this.#look(place, challenge)));
    if (all.includes('found')) return 'found';
    return all.includes('unread') ? 'unread' : 'absent';
  }

  async #look(place: URL, challenge: string): Promise<Found> {
    try {
      const { status, body } = await pinnedGet(place, this.options);
      if (status === 404 || status === 410) return 'absent';
      if (status !== 200) return 'unread';
      return holdsChallenge(body, challenge) ? 'found' : 'absent';
    } catch {
      // Its text could name addresses inside of a network: nobody is told.
      return 'unread';
    }
  }
}
