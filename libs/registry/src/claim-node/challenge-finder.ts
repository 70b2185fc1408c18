import { Injectable } from '@nestjs/common';
import { AllowedTargets, pinnedCall } from '@heddle/platform-outbound';
import type { Network, TargetRules } from '@heddle/platform-outbound';
import { holdsChallenge } from './claim-places.js';

const CALL = {
  method: 'GET',
  headers: { accept: 'text/plain', 'user-agent': 'heddle-registry' },
  timeoutMs: 10_000,
  maxBytes: 65_536,
} as const;

/** `absent`: the places were read, and none holds it. `unread`: one of them could not be read, and none holds it. */
export type Found = 'found' | 'absent' | 'unread';

/** Looks for a challenge where a publisher was told to put it. */
@Injectable()
export class ChallengeFinder {
  readonly rules: TargetRules = { schemes: ['https:'], allowed: AllowedTargets.NONE, ownHosts: [] };
  /** Specs reach a server of their own. */
  readonly network: Network | undefined = undefined;

  async find(places: readonly URL[], challenge: string): Promise<Found> {
    const all = await Promise.all(places.map((place) => this.#look(place, challenge)));
    if (all.includes('found')) return 'found';
    return all.includes('unread') ? 'unread' : 'absent';
  }

  async #look(place: URL, challenge: string): Promise<Found> {
    try {
      const { status, body } = await pinnedCall({ ...CALL, url: place.href }, this.rules, this.network);
      if (status === 404 || status === 410) return 'absent';
      if (status !== 200) return 'unread';
      return holdsChallenge(body.toString('utf8'), challenge) ? 'found' : 'absent';
    } catch {
      // Its text could name addresses inside of a network, so it is not shown.
      return 'unread';
    }
  }
}
