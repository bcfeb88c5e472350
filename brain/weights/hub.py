"""Files from a model's official repository, where the machine reaches it; goes on where it stopped."""

from __future__ import annotations

import functools
import os
from pathlib import Path

import httpx
from django.conf import settings
from django.utils.translation import gettext_noop as _

from brain.errors import ServiceUnavailable
from brain.weights.carriers import Tell
from brain.weights.catalogue import Model, ModelFile

_TIMEOUT = httpx.Timeout(30.0, connect=10.0)


def from_hub(model: Model, folder: Path, tell: Tell) -> None:
    base = settings.BRAIN_MODEL_HUB
    done = 0
    for file in model.files:
        _fetch_file(
            f"{base}/{model.hub}/resolve/main/{file.name}", file, folder, functools.partial(_tell_more, tell, done)
        )
        done += file.size


def _tell_more(tell: Tell, before: int, here: int) -> None:
    tell(before + here)


def _fetch_file(url: str, file: ModelFile, folder: Path, tell: Tell) -> None:
    if (folder / file.name).is_file():
        return
    draft = folder / f"{file.name}.download"
    here = draft.stat().st_size if draft.is_file() else 0
    try:
        with (
            httpx.Client(follow_redirects=True, timeout=_TIMEOUT) as client,
            client.stream("GET", url, headers={"Range": f"bytes={here}-"} if here else {}) as response,
        ):
            response.raise_for_status()
            goes_on = response.status_code == httpx.codes.PARTIAL_CONTENT
            with draft.open("ab" if goes_on else "wb") as out:
                for block in response.iter_bytes():
                    out.write(block)
                    tell(out.tell())
    except httpx.HTTPError as error:
        raise ServiceUnavailable(
            _("The model hub could not be reached: %(reason)s"), reason=str(error)[:200] or type(error).__name__
        ) from error
    os.replace(draft, folder / file.name)
