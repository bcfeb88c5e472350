#!/usr/bin/env python
"""Django's command line."""

from __future__ import annotations

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import Error

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "brain.settings")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    except Error as error:
        from brain.commands import database_problem  # not sooner: it reads the settings

        if problem := database_problem(error):
            sys.exit(problem)
        raise
