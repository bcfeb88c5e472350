"""How a question says that a file is not to be asked: "except a.txt", "but not in a.txt", "a.txt에는 없는".

``but`` and ``left_out`` say so alone. What a file lacks may be asked of that file too ("Why is it not in a.txt?"), so
``not`` and ``says_not`` count only beside another file that is to be asked: "What in b.txt is missing from a.txt?"
"""

from __future__ import annotations


def _any(phrases: str) -> str:
    """Phrases parted by lines; a blank in them is any."""
    return "|".join(phrase.strip().replace(" ", r"\s+") for phrase in phrases.strip().splitlines())


_NOT = r"(?:(?:is|are|was|were)(?:n['’]t|\s+not)|not|never)"
_IN = r"(?:(?:found|mentioned|listed|named|covered|stated|included|contained|said)\s+)?(?:in|by|from)"
_EXCEPT = _any(
    """
    not (?:from|using)
    except(?: (?:for|in|from))?
    excluding
    other than
    apart from
    besides
    without(?: using)?
    ignor(?:e|ing)
    leav(?:e|ing) out
    (?:do not|don['’]t) use
    """
)
_MISSING = _any("(?:missing|absent|left out|lacking) (?:from|in|of)")
#: Before the name of a file.
BEFORE = (
    rf"(?:(?P<but>\b(?:{_EXCEPT}|(?:that|which|what)\s+{_NOT}\s+{_IN}|(?:but|and)\s+{_NOT}(?:\s+{_IN})?)\s+"
    rf"|,\s*{_NOT}(?:\s+{_IN})?\s+)|(?P<not>\b(?:{_NOT}\s+{_IN}|{_MISSING})\s+)|\b(?:but|that|which)\s+)?"
)
_STANDS_NOT = (
    r"(?:나오|나와\s?있|있|들어\s?있|들어가\s?있|적혀\s?있|쓰여\s?있|언급되|언급되어\s?있|포함되|포함되어\s?있|담겨\s?있)"
    r"지\s?않(?:은|는|고|지만)"
)
#: Behind it and its particle.
BEHIND = (
    r"(?P<left_out>\s?(?:말고는?|제외하고는?|제외한|빼고는?|외에는?|이외에는?|이외의)"
    rf"|(?<=[에는서도])\s?(?:전혀\s)?(?:없(?:는|고|지만|으면서)|안\s?나(?:오는|온)|{_STANDS_NOT}))?"
)
SAYS_NOT = (
    r"(?P<says_not>\s+(?:does|do|did)(?:n['’]t|\s+not)(?:\s+(?:say|mention|contain|have|cover|list|include|state))?\b)?"
)
