# Two commands are enough: `make run` and `make test`. The rest is for people who change the code.
PYTHON ?= python3.11
HOST ?= 127.0.0.1
PORT ?= 8000
VENV := .venv
PY := $(VENV)/bin/python

.PHONY: run test test-all lint format bench messages stack stack-down clean

run: $(VENV)/.runtime  ## everything in one process, on this machine only
	@$(PY) manage.py serve --host $(HOST) --port $(PORT)

test: $(VENV)/.development  ## needs no network and no model
	$(PY) -m pytest -n auto -m "not model and not server and not browser and not slow" $(ARGS)

test-all: $(VENV)/.development  ## also with real models, servers and a browser, where they are installed
	$(PY) -m pytest $(ARGS)

lint: $(VENV)/.development
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy

format: $(VENV)/.development
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .

bench: $(VENV)/.development  ## the short measurements; each is `python -m bench.NAME`, see README
	$(PY) -m bench.deletion --histories 50
	$(PY) -m bench.scale --sources 100

messages: $(VENV)/.development  ## compile translations after changing locale/*/LC_MESSAGES/django.po
	$(PY) manage.py compilemessages -l ko

$(VENV)/.python:
	@command -v $(PYTHON) >/dev/null || { echo "Brain needs Python 3.11, which is not installed here as $(PYTHON). Install it, or run: make run PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' || { echo "Brain needs Python 3.11; $(PYTHON) is another version. Run: make run PYTHON=/path/to/python3.11"; exit 1; }
	@[ "$$(df -Pm . | awk 'NR==2 {print $$4}')" -gt 4000 ] || { echo "Brain needs 4 GB of free disk here: 1 GB of programs, 1.3 GB of models, and room for your files."; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.runtime: requirements.txt | $(VENV)/.python
	@echo "Installing what Brain runs on. This takes about a minute."
	@$(PY) -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/.development: requirements-dev.txt requirements.txt | $(VENV)/.python
	@$(PY) -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@ $(VENV)/.runtime

clean:
	rm -rf $(VENV)

stack: $(VENV)/.runtime  ## the same on PostgreSQL, Redis and Neo4j on this machine; with QDRANT_URL also on Qdrant
	@$(PY) manage.py stack up --host $(HOST) --port $(PORT)

stack-down: $(VENV)/.runtime
	@$(PY) manage.py stack down
