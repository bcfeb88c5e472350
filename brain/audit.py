"""Who did what, and when. Ids and counts only: never a text, a question, an answer or a password."""

from __future__ import annotations

from uuid import UUID

from django.utils.translation import gettext_lazy as _

from brain.models import Audit, User


def note(user: User | None, action: str, *, brain: UUID | None = None, subject: str = "", **counts: int | str) -> None:
    """Write one line of the log."""
    Audit.objects.create(user=user, action=action, brain=brain, subject=subject[:80], counts=counts)


#: What a line of the log says was done.
DEEDS = {
    "login": _("logged in"),
    "logout": _("logged out"),
    "login_failed": _("failed to log in"),
    "setup": _("set up this installation"),
    "password": _("changed the password"),
    "invite": _("invited a person"),
    "invite_again": _("made a new link for a person"),
    "invitation_used": _("accepted an invitation"),
    "person_on": _("let a person in again"),
    "person_off": _("shut a person out"),
    "purge user": _("deleted a person"),
    "brain_create": _("made a brain"),
    "brain_rename": _("renamed a brain"),
    "brain_hints": _("changed what the graph looks for"),
    "purge brain": _("deleted a brain"),
    "member_set": _("gave a person a role"),
    "member_remove": _("took a person out of a brain"),
    "upload": _("uploaded a file"),
    "retry": _("tried a file again"),
    "reread": _("had a file read again"),
    "trash": _("moved a file to the trash"),
    "restore": _("restored a file"),
    "purge": _("deleted a file for good"),
    "verify": _("compared the stores"),
    "export": _("exported a brain"),
    "import": _("imported a brain"),
}
