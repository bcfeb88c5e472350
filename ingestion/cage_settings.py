"""Django's settings inside the cage: none. Marking a sentence for translation looks at USE_I18N, no more."""

from __future__ import annotations

USE_I18N = False
