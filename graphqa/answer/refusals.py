"""Why there is no answer, in words: from the details kept with a message. They hold words of the question only,
and numbers of articles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext


def refusal(details: Mapping[str, Any]) -> str:
    """What the documents speak of, what they do not say, and what is not read yet; one paragraph."""
    if absent := words(details.get("no_file")):
        if details.get("narrowed"):
            return _("No file of this name is in the part of the brain you chose: %(files)s.") % {"files": absent}
        return _("No file of this name is in this brain: %(files)s.") % {"files": absent}
    if absent := words(details.get("no_place")):
        return _("The file that you name does not have this: %(places)s.") % {"places": absent}
    if details.get("outside"):
        return _(
            "No file of this brain is in the part that you chose under “Where to look”. A file without a date is "
            "outside of all dates; you can set one on its page."
        )
    about, gap = words(details.get("about")), words(details.get("gap"))
    left = words(details.get("deferred"))
    if details.get("withdrawn"):
        said = [_("An answer was written, but your documents did not bear it out, so it is not shown.")]
    elif left:
        said = [_("The documents leave this to what they do not hold: %(left)s.")]
    elif about and gap:
        said = [_("The documents speak of %(about)s, but nothing in them was found about %(gap)s.")]
    elif about:
        said = [_("The documents speak of %(about)s, but do not say what you asked.")]
    else:
        said = [_("Your documents do not hold an answer to this.")]
        said += [_("Nothing was found about: %(gap)s.")] if gap else []
    if unread := details.get("unread", 0):
        said.append(
            ngettext(
                "%(unread)s file cannot be searched yet. Ask again when it can.",
                "%(unread)s files cannot be searched yet. Ask again when they can.",
                unread,
            )
        )
    return " ".join(said) % {"about": about, "gap": gap, "left": left, "unread": unread}


def words(value: object) -> str:
    """A list of words as it is read; empty for anything else."""
    return ", ".join(str(word) for word in value) if isinstance(value, Sequence) and not isinstance(value, str) else ""
