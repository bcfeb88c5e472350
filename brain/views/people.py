"""People of this installation, for those who administer it."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.tokens import default_token_generator
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from brain.audit import note
from brain.forms import InviteForm
from brain.ledger import deletion
from brain.models import User
from brain.requests import PersonRequest


def _administrator(request: PersonRequest) -> User:
    """The person, if this page exists for them."""
    if not request.user.is_staff:
        raise Http404
    return request.user


def _person(request: PersonRequest, person_id: int) -> User:
    """Another person of this installation, for an administrator."""
    _administrator(request)
    person = User.objects.filter(pk=person_id).exclude(pk=request.user.pk).first()
    if person is None:
        raise Http404
    return person


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def people(request: PersonRequest) -> HttpResponse:
    """The list, and an invitation: its link is shown once."""
    inviter = _administrator(request)
    form = InviteForm(request.POST or None, inviter=inviter)
    link = ""
    if request.method == "POST" and form.is_valid():
        with transaction.atomic():
            person = form.save()
            note(inviter, "invite", subject=str(person.pk))
        link = _link(request, person)
        form = InviteForm(inviter=inviter)
    return _page(request, form, link, status=400 if form.errors else 200)


def _page(request: PersonRequest, form: InviteForm, link: str, *, status: int = 200) -> HttpResponse:
    everybody = User.objects.order_by("username").prefetch_related("memberships__brain")
    return render(request, "brain/people.html", {"people": everybody, "form": form, "link": link}, status=status)


def _link(request: PersonRequest, person: User) -> str:
    encoded = urlsafe_base64_encode(force_bytes(person.pk))
    path = reverse("invitation", args=[encoded, default_token_generator.make_token(person)])
    return request.build_absolute_uri(path)


@never_cache
@require_POST
def person_link(request: PersonRequest, person_id: int) -> HttpResponse:
    """A new one-time link, for somebody who lost the first or forgot the password."""
    person = _person(request, person_id)
    note(request.user, "invite_again", subject=str(person.pk))
    return _page(request, InviteForm(inviter=request.user), _link(request, person))


@require_POST
def person_switch(request: PersonRequest, person_id: int) -> HttpResponse:
    """Switch an account off or on. Off ends its sessions at the next request."""
    person = _person(request, person_id)
    person.is_active = not person.is_active
    person.save(update_fields=["is_active"])
    note(request.user, "person_on" if person.is_active else "person_off", subject=str(person.pk))
    return redirect("people")


@require_POST
def person_delete(request: PersonRequest, person_id: int) -> HttpResponse:
    """Delete a person with the brains that only they own; the user name has to be typed."""
    person = _person(request, person_id)
    if request.POST.get("username", "") != person.username:
        messages.error(request, _("The name you typed is not the name of this person. Nothing was deleted."))
        return redirect("people")
    deletion.purge_user(person, request.user)
    messages.success(request, _("The person is being deleted with everything that was theirs alone."))
    return redirect("people")
