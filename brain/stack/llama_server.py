"""llama-server out of a wheel, for machines without the program: ``python -m brain.stack.llama_server --model FILE``.

Takes the options of llama-server that the stack uses. Ends with SIGTERM.
"""

from __future__ import annotations

import argparse
import signal

import xllamacpp

# A prompt that left its slot is kept in memory for the next question about it; the engine would take 8 GB for them.
_PROMPT_CACHE_MB = 256


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", required=True)
    parser.add_argument("--alias", required=True)
    parser.add_argument("--host", required=True)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--ctx-size", type=int, required=True, help="tokens of all slots together")
    parser.add_argument("--parallel", type=int, required=True, help="slots")
    parser.add_argument("--threads", type=int, required=True)
    options = parser.parse_args()
    params = xllamacpp.CommonParams()
    params.model.path = options.model
    params.model_alias = {options.alias}
    params.hostnames = [options.host]
    params.port = options.port
    params.n_ctx = options.ctx_size
    params.n_parallel = options.parallel
    params.kv_unified = False
    params.cpuparams.n_threads = options.threads
    params.cache_ram_mib = _PROMPT_CACHE_MB
    params.ui = False
    server = xllamacpp.Server(params)
    print(f"listening on {server.listening_address}", flush=True)
    signal.pause()


if __name__ == "__main__":
    main()
