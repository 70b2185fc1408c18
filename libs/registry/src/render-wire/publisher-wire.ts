import type { MemberRole, PublisherProfile, PublisherWire } from '@heddle/contracts-registry';
import type { PublisherState } from '@heddle/registry-domain';

interface MemberRecord {
  readonly member_id: string;
  readonly account_id: string;
  readonly role: MemberRole;
}

export interface PublisherRecord {
  readonly state: Omit<PublisherState, 'streamVersion'>;
  readonly profile: PublisherProfile;
  readonly members: readonly MemberRecord[];
}

/** Addresses of people are never in an answer. */
export function renderPublisher({ state, profile, members }: PublisherRecord): PublisherWire {
  const { name, description, logo, source_code_repo, support, website } = profile;
  return {
    id: state.publisherId,
    name,
    description,
    logo,
    source_code_repo,
    support,
    website,
    createdAt: state.createdAt,
    status: state.status === 'banned' ? 'PublisherStatusBanned' : 'PublisherStatusActive',
    members: members.map(({ member_id: id, account_id: account, role }) => ({
      id,
      role,
      user: { id: account, name: '', email: '' },
    })),
  };
}
