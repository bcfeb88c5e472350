"""Settings for tests: memory and scripted stand-ins, a folder of its own, nothing outside the process."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile

# Always a new one: workers that run side by side must not share it, and nobody's own data is touched.
os.environ["BRAIN_HOME"] = tempfile.mkdtemp(prefix="brain-tests-")
atexit.register(shutil.rmtree, os.environ["BRAIN_HOME"], ignore_errors=True)
# Not the machine's own: what a page shows must not depend on where the tests run.
os.environ["BRAIN_TIME_ZONE"] = "Asia/Seoul"
os.environ.setdefault("BRAIN_LLM", "scripted")
os.environ.setdefault("BRAIN_EMBEDDER", "hash")
os.environ.setdefault("BRAIN_VECTORS", "memory")
os.environ.setdefault("BRAIN_TRANSCRIBER", "scripted")

from brain.settings import *  # noqa: E402, F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
