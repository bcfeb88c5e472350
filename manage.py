#!/usr/bin/env python
"""Django's command line."""

from __future__ import annotations

import os
import select
import signal
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import Error


def _is_read_no_more() -> bool:
    """Whether who reads the output has gone ("| head"). What is left of it goes nowhere then, or the interpreter would
    try once more at its end."""
    output = select.poll()
    output.register(sys.stdout.fileno(), 0)
    gone = any(event & select.POLLERR for _file, event in output.poll(0))
    if gone:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return gone


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "brain.settings")
    try:
        execute_from_command_line(sys.argv)
        sys.stdout.flush()
    except BrokenPipeError:
        if not _is_read_no_more():
            raise  # of another pipe
        sys.exit(128 + signal.SIGPIPE)
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    except Error as error:
        from brain.commands import database_problem  # not sooner: it reads the settings

        if problem := database_problem(error):
            sys.exit(problem)
        raise
