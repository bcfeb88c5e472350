"""The product's one error tree.

    BrainError
    ├── InputError                 the person's file or question; trying again changes nothing
    │   ├── UnreadableSource       the file cannot be turned into text
    │   │   ├── EmptySource        no bytes, no pages, no words, no speech
    │   │   ├── LockedSource       a password is needed
    │   │   ├── UnsupportedSource  a kind of file that is not read
    │   │   └── SourceLimit        too large, too long, or too slow to read
    │   ├── DuplicateSource        the same bytes are in this brain already
    │   └── QuestionRefused        blank or too long
    │       └── TooManyQuestions   the queue is full for now
    ├── ServiceError               a part outside this process failed
    │   ├── ServiceUnavailable     away for now: wait and try again
    │   ├── ServiceRejected        it answered, and said no: trying again changes nothing
    │   └── ModelMissing           weights or engine are not installed yet
    ├── ModelReplyError            the language model's reply cannot be used
    ├── Cancelled                  the work was asked to stop
    ├── LeaseLost                  another worker owns the row now
    └── IndexMismatch              the index was built by another embedding model

``retryable`` says whether the same call may succeed later. ``code`` is a stable key that is stored on rows.

The text given to the constructor is the sentence the person reads, marked with ``gettext_noop`` where it is
written; names and numbers come as keyword arguments and stand in it as ``%(name)s``. Rows keep both apart
(``Notice``), so that each reader sees the sentence in his own language.
"""

from __future__ import annotations

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from brain.values import Notice


class BrainError(Exception):
    """Something went wrong."""

    code = "error"
    retryable = False

    #: What is said where the raiser says nothing.
    default = _("Something went wrong. Try again, or ask your administrator.")

    def __init__(self, message: str = "", **params: str | int | float) -> None:
        self.notice = Notice(message or self.default, params)
        super().__init__(self.notice.english)

    @property
    def sentence(self) -> str:
        """What happened and what the person can do, in the active language."""
        return say(self.notice)


def say(notice: Notice) -> str:
    """The sentence in the active language."""
    if not notice.text:
        return ""
    sentence = gettext(notice.text)
    return sentence % dict(notice.params) if notice.params else sentence


class InputError(BrainError):
    """The input cannot be used."""

    code = "input"


class UnreadableSource(InputError):
    """The file could not be read."""

    code = "unreadable"
    default = _(
        "The file could not be read. Open it on your computer to see whether it is damaged, save it again, and "
        "upload the new copy."
    )


class EmptySource(UnreadableSource):
    """The file holds nothing to read."""

    code = "empty"
    default = _("The file holds nothing to read.")


class LockedSource(UnreadableSource):
    """The file is protected by a password. Save a copy without the password and upload that."""

    code = "locked"
    default = _("The file is protected by a password. Save a copy without the password and upload that.")


class UnsupportedSource(UnreadableSource):
    """This kind of file is not read."""

    code = "unsupported"
    default = _("This kind of file is not read. PDF, text, Markdown and recordings are.")


class SourceLimit(UnreadableSource):
    """The file is larger or slower to read than this installation allows."""

    code = "limit"
    default = _("The file is larger or slower to read than this installation allows. Split it and upload the parts.")


class DuplicateSource(InputError):
    """The same file is in this brain already."""

    code = "duplicate"
    default = _("The same file is in this brain already.")

    def __init__(self, message: str = "", *, source_id: str, **params: str | int | float) -> None:
        super().__init__(message, **params)
        self.source_id = source_id


class QuestionRefused(InputError):
    """The question is blank or too long."""

    code = "question"
    default = _("The question is blank or too long.")


class TooManyQuestions(QuestionRefused):
    """More questions wait than can be answered soon."""

    code = "busy"
    retryable = True
    default = _("Too many questions are waiting. Try again in a few minutes.")


class ServiceError(BrainError):
    """A part outside this process failed."""

    code = "service"
    default = _("A service this installation needs failed.")


class ServiceUnavailable(ServiceError):
    """A service does not answer for now. Work goes on by itself when it is back."""

    code = "unavailable"
    retryable = True
    default = _("A service does not answer for now. Work goes on by itself when it is back.")


class ServiceRejected(ServiceError):
    """A service refused the request."""

    code = "rejected"
    default = _("A service refused the request.")


class ModelMissing(ServiceError):
    """A model is not installed yet. Run `manage.py models`."""

    code = "model_missing"
    retryable = True
    default = _("A model is not installed yet. Work goes on by itself when it is.")


class ModelReplyError(BrainError):
    """The language model's reply could not be used."""

    code = "reply"
    default = _("The language model's reply could not be used.")


class Cancelled(BrainError):
    """The work was stopped on request."""

    code = "cancelled"
    default = _("Stopped.")


class LeaseLost(BrainError):
    """Another worker took over."""

    code = "lease_lost"


class IndexMismatch(BrainError):
    """The index was built by another embedding model. Run `manage.py rebuild`."""

    code = "index_mismatch"
    default = _('The search index was built by another embedding model. Run "manage.py rebuild".')
