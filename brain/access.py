"""May this person do this in this brain? Fetching and authorising are one call, and start at the person.

Who is not a member gets ``Http404``: to a stranger a brain and everything in it does not exist. Who is a
member with too small a role gets ``PermissionDenied`` with a sentence.
"""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.translation import gettext as _

from brain.models import Brain, Membership, Role, Source, User

_RANK = {Role.READER: 0, Role.EDITOR: 1, Role.OWNER: 2}


@dataclass(frozen=True, slots=True)
class Access:
    """One person in one brain."""

    brain: Brain
    role: Role

    @property
    def may_write(self) -> bool:
        return _RANK[self.role] >= _RANK[Role.EDITOR]

    @property
    def may_own(self) -> bool:
        return self.role == Role.OWNER


def brain_access(user: User, brain_id: UUID, *, at_least: Role = Role.READER) -> Access:
    """The brain and the person's role in it."""
    membership = (
        Membership.objects.select_related("brain").filter(user=user, brain=brain_id, brain__deleted_at=None).first()
    )
    if membership is None:
        raise Http404
    role = Role(membership.role)
    if _RANK[role] < _RANK[at_least]:
        raise PermissionDenied(_("Your role in this brain does not allow this. Ask one of its owners."))
    return Access(membership.brain, role)


def source_access(user: User, source_id: UUID, *, at_least: Role = Role.READER) -> tuple[Source, Access]:
    """A source that is not being purged and the person's role in its brain. In the trash it exists only for those who
    may restore it."""
    source = Source.objects.filter(
        id=source_id, purge_requested_at=None, brain__memberships__user=user, brain__deleted_at=None
    ).first()
    if source is None:
        raise Http404
    access = brain_access(user, source.brain_id, at_least=at_least)
    if source.trashed_at and not access.may_write:
        raise Http404
    return source, access
