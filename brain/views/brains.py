"""Brains: list, create, settings, members."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.db import transaction
from django.db.models import Count, F, Q
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from brain.access import Access, brain_access
from brain.audit import note
from brain.forms import BrainForm, HintsForm, MemberForm
from brain.ledger import deletion
from brain.models import Brain, Membership, Role, SourceState
from brain.requests import PersonRequest


@require_http_methods(["GET", "HEAD", "POST"])
def home(request: PersonRequest) -> HttpResponse:
    """All brains of the person, and a form for a new one."""
    form = BrainForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        return redirect("sources", _create(request, form).id)
    kept = Q(sources__trashed_at=None, sources__purge_requested_at=None)
    brains = (
        Brain.objects.readable_by(request.user)
        .annotate(
            role=F("memberships__role"),
            source_count=Count("sources", filter=kept, distinct=True),
            failed_count=Count("sources", filter=kept & Q(sources__state=SourceState.FAILED), distinct=True),
        )
        .order_by("name", "id")
    )
    page = {"brains": brains, "form": form}
    return render(request, "brain/home.html", page, status=400 if form.errors else 200)


@transaction.atomic
def _create(request: PersonRequest, form: BrainForm) -> Brain:
    brain: Brain = form.save()
    Membership.objects.create(brain=brain, user=request.user, role=Role.OWNER)
    note(request.user, "brain_create", brain=brain.id)
    return brain


@require_safe
def brain_settings(request: PersonRequest, brain_id: UUID) -> HttpResponse:
    access = brain_access(request.user, brain_id)
    return _settings_page(request, access)


def _settings_page(request: PersonRequest, access: Access, **bound: object) -> HttpResponse:
    brain = access.brain
    members = brain.memberships.select_related("user").order_by("user__username")
    owners = [each for each in members if each.role == Role.OWNER]
    hints = {"entity_types": "\n".join(brain.entity_types), "relation_names": "\n".join(brain.relation_names)}
    page = {
        "access": access,
        "brain": brain,
        "tab": "settings",
        "members": members,
        "only_owner": owners[0] if len(owners) == 1 else None,
        "roles": Role.choices,
        "rename": BrainForm(instance=brain, prefix="rename"),
        "hints": HintsForm(initial=hints),
        "member": MemberForm(),
        "source_count": brain.sources.filter(purge_requested_at=None).count(),
    } | bound
    return render(request, "brain/settings.html", page, status=400 if bound else 200)


@require_POST
def brain_rename(request: PersonRequest, brain_id: UUID) -> HttpResponse:
    access = brain_access(request.user, brain_id, at_least=Role.OWNER)
    form = BrainForm(request.POST, instance=access.brain, prefix="rename")
    if not form.is_valid():
        access.brain.refresh_from_db()
        return _settings_page(request, access, rename=form)
    Brain.objects.filter(id=brain_id).update(name=form.cleaned_data["name"])
    note(request.user, "brain_rename", brain=brain_id)
    return redirect("brain_settings", brain_id)


@require_POST
def brain_hints(request: PersonRequest, brain_id: UUID) -> HttpResponse:
    """Hints apply to what is read from now on."""
    access = brain_access(request.user, brain_id, at_least=Role.OWNER)
    form = HintsForm(request.POST)
    if not form.is_valid():
        return _settings_page(request, access, hints=form)
    Brain.objects.filter(id=brain_id).update(**form.cleaned_data)
    note(request.user, "brain_hints", brain=brain_id)
    messages.success(request, _("Saved. The hints apply to files that are read from now on."))
    return redirect("brain_settings", brain_id)


@require_POST
def brain_delete(request: PersonRequest, brain_id: UUID) -> HttpResponse:
    """The name has to be typed: a brain goes with all its sources and chats, and there is no undo."""
    access = brain_access(request.user, brain_id, at_least=Role.OWNER)
    if request.POST.get("name", "").strip() != access.brain.name.strip():
        messages.error(request, _("The name you typed is not the name of this brain. Nothing was deleted."))
        return redirect("brain_settings", brain_id)
    deletion.purge_brain(access.brain, request.user)
    messages.success(request, _("The brain is being deleted with everything in it."))
    return redirect("home")


@require_POST
def member_set(request: PersonRequest, brain_id: UUID) -> HttpResponse:
    """Give a person a role; the last owner stays one, and nobody changes their own."""
    access = brain_access(request.user, brain_id, at_least=Role.OWNER)
    form = MemberForm(request.POST)
    if not form.is_valid():
        return _settings_page(request, access, member=form)
    person, role = form.cleaned_data["username"], Role(form.cleaned_data["role"])
    if role != Role.OWNER and _is_last_owner(access.brain, person.pk):
        messages.error(request, _("A brain needs an owner. Make somebody else one first."))
    elif person == request.user:
        # One click would take the settings away that could undo it.
        messages.error(request, _("Nobody changes their own role. Another owner of this brain can change yours."))
    else:
        Membership.objects.update_or_create(brain=access.brain, user=person, defaults={"role": role})
        note(request.user, "member_set", brain=brain_id, subject=str(person.pk), role=role.value)
    return redirect("brain_settings", brain_id)


@require_POST
def member_remove(request: PersonRequest, brain_id: UUID, person_id: int) -> HttpResponse:
    """An owner takes anybody out; everybody may leave."""
    leaves = person_id == request.user.pk
    access = brain_access(request.user, brain_id, at_least=Role.READER if leaves else Role.OWNER)
    membership = Membership.objects.filter(brain=access.brain, user=person_id).first()
    if membership is None:
        raise Http404
    if _is_last_owner(access.brain, person_id):
        messages.error(request, _("A brain needs an owner. Make somebody else one first."))
        return redirect("brain_settings", brain_id)
    membership.delete()
    note(request.user, "member_remove", brain=brain_id, subject=str(person_id))
    return redirect("home") if leaves else redirect("brain_settings", brain_id)


def _is_last_owner(brain: Brain, person_id: int) -> bool:
    owners = set(Membership.objects.filter(brain=brain, role=Role.OWNER).values_list("user_id", flat=True))
    return owners == {person_id}
