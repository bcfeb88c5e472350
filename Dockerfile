# One image for the web process and every worker. Two stages: compilers and caches stay behind.
FROM python:3.11-slim-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc g++ cmake make && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY requirements.txt requirements-engine.txt ./
# The language model's engine (4 to 7 minutes) is left out where a model server answers: --build-arg ENGINE=no
ARG ENGINE=no
RUN python -m venv /venv && /venv/bin/pip install --no-cache-dir -r requirements.txt \
    && if [ "$ENGINE" = yes ]; then /venv/bin/pip install --no-cache-dir -r requirements-engine.txt; fi

FROM python:3.11-slim-bookworm
RUN useradd --system --uid 10001 --home-dir /data brain && mkdir /data && chown brain /data
WORKDIR /app
COPY --from=build /venv /venv
COPY . .
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 BRAIN_HOME=/data DJANGO_SETTINGS_MODULE=brain.settings
USER brain
VOLUME /data
EXPOSE 8000
CMD ["python", "manage.py", "serve", "--host", "0.0.0.0"]
