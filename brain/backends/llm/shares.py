"""How sure a model is of each of several words: its probabilities for the first token, among the words alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence


def of_tokens(options: Sequence[str], told: Iterable[tuple[str, float]]) -> tuple[float, ...]:
    """``told`` are likely first tokens with their log-probabilities, as servers list them. ``()`` if no option is
    among them."""
    weights = [0.0] * len(options)
    for token, logprob in told:
        begins = token.strip().casefold()
        for place, option in enumerate(options):
            if begins and (option.casefold().startswith(begins) or begins.startswith(option.casefold())):
                weights[place] += math.exp(logprob)
    return _of_one(weights) if any(weights) else ()


def of_text(options: Sequence[str], text: str) -> tuple[float, ...]:
    """Where only the reply is known: all for the option it begins with; the same for each if with none."""
    begins = text.strip().casefold()
    weights = [float(begins.startswith(option.casefold())) for option in options]
    return _of_one(weights) if any(weights) else (1 / len(options),) * len(options)


def of_scores(
    options: Sequence[str], scores: Callable[[int], float], first_token: Callable[[str], int]
) -> tuple[float, ...]:
    """``scores`` gives the unscaled score of a token; each option counts as written and capitalised."""
    tokens = [{first_token(option), first_token(option[:1].upper() + option[1:])} for option in options]
    best = max(scores(token) for each in tokens for token in each)
    return _of_one([sum(math.exp(scores(token) - best) for token in each) for each in tokens])


def likeliest(options: Sequence[str], shares: Sequence[float]) -> str:
    """The option of the greatest share; the first of them if several have it."""
    return options[max(range(len(options)), key=lambda place: shares[place])]


def _of_one(weights: Sequence[float]) -> tuple[float, ...]:
    whole = sum(weights)
    return tuple(weight / whole for weight in weights)
