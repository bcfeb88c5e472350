"""The servers that Brain can run on, on this machine, without containers: for trying them and for the tests.

Each program listens on loopback only, on a free port, with a password made for it, and keeps its files in one
folder. ``manage.py stack up`` starts them all, ``down`` stops them.
"""

from __future__ import annotations
