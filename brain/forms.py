"""Forms of accounts and brains."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm, SetPasswordForm, UserCreationForm
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from brain.models import Brain, Membership, Role, User
from brain.text import clean_line, is_blank


class SetupForm(UserCreationForm):  # type: ignore[type-arg]  # not generic when it runs
    """The first person and the first brain."""

    brain_name = forms.CharField(label=_("Name of your first brain"), max_length=200, strip=True)

    class Meta:
        model = User
        fields = ("username",)

    def clean_brain_name(self) -> str:
        return _clean_name(self.cleaned_data["brain_name"])


class LoginForm(AuthenticationForm):
    error_messages = {
        "invalid_login": _("This name and password do not belong together."),
        "inactive": _("This account is switched off. Ask your administrator."),
    }


class InviteForm(forms.ModelForm):  # type: ignore[type-arg]  # not generic when it runs
    """A new person, without a password until the link is used."""

    brain = forms.ModelChoiceField(
        label=_("Brain"), queryset=Brain.objects.none(), required=False, empty_label=_("none yet")
    )
    role = forms.ChoiceField(label=_("Role"), choices=Role.choices, initial=Role.READER)
    is_staff = forms.BooleanField(label=_("Administers this installation"), required=False)

    class Meta:
        model = User
        fields = ("username", "is_staff")

    def __init__(self, *args: Any, inviter: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        brains = self.fields["brain"]
        assert isinstance(brains, forms.ModelChoiceField)
        brains.queryset = Brain.objects.owned_by(inviter)

    def save(self, commit: bool = True) -> User:  # noqa: ARG002
        user: User = super().save(commit=False)
        user.set_unusable_password()
        user.is_superuser = user.is_staff
        user.save()
        if brain := self.cleaned_data["brain"]:
            Membership.objects.create(brain=brain, user=user, role=self.cleaned_data["role"])
        return user


class ChoosePasswordForm(SetPasswordForm):  # type: ignore[type-arg]  # not generic when it runs
    """What the one-time link opens."""


class BrainForm(forms.ModelForm):  # type: ignore[type-arg]  # not generic when it runs
    class Meta:
        model = Brain
        fields = ("name",)
        labels = {"name": _("Name")}

    def clean_name(self) -> str:
        return _clean_name(self.cleaned_data["name"])


class HintsForm(forms.Form):
    """Words the extraction model is given as hints: one a line."""

    entity_types = forms.CharField(
        label=_("Kinds of things to look for"), required=False, widget=forms.Textarea(attrs={"rows": 5})
    )
    relation_names = forms.CharField(
        label=_("Relations to look for"), required=False, widget=forms.Textarea(attrs={"rows": 5})
    )

    def clean_entity_types(self) -> list[str]:
        return _lines(self.cleaned_data["entity_types"])

    def clean_relation_names(self) -> list[str]:
        return _lines(self.cleaned_data["relation_names"])


class MemberForm(forms.Form):
    """Give a person a role in a brain."""

    username = forms.CharField(label=_("User name"), max_length=150)
    role = forms.ChoiceField(label=_("Role"), choices=Role.choices)

    def clean_username(self) -> User:
        user = User.objects.filter(username=self.cleaned_data["username"], is_active=True).first()
        if user is None:
            raise ValidationError(_("Nobody here has this user name. Invite the person first."))
        return user


def _clean_name(name: str) -> str:
    name = clean_line(name, limit=200)
    if is_blank(name):
        raise ValidationError(_("Give it a name."))
    return name


def _lines(text: str) -> list[str]:
    lines = [clean_line(line, limit=60) for line in text.splitlines()]
    return list(dict.fromkeys(line for line in lines if line))[:40]
