"""What a person may say of a source."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from brain.models import DatedBy, Source


class AboutForm(forms.ModelForm):  # type: ignore[type-arg]  # not generic when it runs
    class Meta:
        model = Source
        fields = ("document_date", "authority")
        labels = {"document_date": _("Date of the document"), "authority": _("Weight")}
        help_texts = {"authority": _("Where two documents disagree, the weightier goes first, then the newer.")}
        widgets = {"document_date": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")}

    def save(self, commit: bool = True) -> Any:
        """Only what was changed: a worker may be writing the rest of the row."""
        changed = list(self.changed_data)
        if "document_date" in changed:
            self.instance.dated_by = DatedBy.PERSON
            changed.append("dated_by")
        if commit and changed:
            self.instance.save(update_fields=changed)
        return self.instance
