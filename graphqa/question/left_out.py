"""How a question says that a file is not to be asked: "except a.txt", "ignore a.txt", "a.txt는 보지 말고".

``SAYS_SO`` say so alone. What a file lacks may be asked of that file too ("Why is it not in a.txt?"), so
``not`` and ``says_not`` count only beside another file that is to be asked: "What in b.txt is missing from a.txt?"
"""

from __future__ import annotations


def _any(phrases: str) -> str:
    """Phrases parted by lines; a blank in them is any."""
    return "|".join(phrase.strip().replace(" ", r"\s+") for phrase in phrases.strip().splitlines())


def _either(*parts: str) -> str:
    return "|".join(parts)


# --- English, before the name ------------------------------------------------------------------------------------

_NOT = r"(?:(?:is|are|was|were)(?:n['’]t|\s+not)|not|never)"
_IN = r"(?:(?:found|mentioned|listed|named|covered|stated|included|contained|said)\s+)?(?:in|by|from)"
_EXCEPT = _any(
    """
    not (?:from|using|counting|including|considering)
    except(?:ing)?(?: (?:for|in|from))?
    with the exception of
    exclud(?:ing|es)
    other(?: (?:files?|documents?|sources?))? than
    (?:apart|aside) from
    outside(?: of)?
    instead of
    besides
    but for
    save for
    barring
    regardless of
    without(?: (?:using|looking (?:at|in|into)|reading|considering|counting|consulting))?
    (?:ignor|disregard|skipp|omitt|overlook)ing
    leaving (?:out|aside)
    """
)
# "All files but a.txt", not "I read a.txt but ..." nor "nothing but a.txt".
_ALL_BUT = (
    r"(?:everything|anything|everywhere|anywhere|everyone|anyone|all|every|each|any)"
    r"(?:\s+(?:of|in|from|the|my|our|your|these|those|this|other|else|uploaded|brain|files?|documents?|sources?|texts?"
    r"|papers?|notes?|pages?)){0,5}\s*,?\s+(?:but|bar|save|minus)(?:\s+(?:in|from))?"
)
# Who is asked says so: "Ignore a.txt", not "Why does b.txt ignore a.txt?".
_ORDERED = (
    "(?:"
    + _either(
        "^",
        r"(?<=[.;:,!?(\n–—-]\s)",
        r"(?<=\n)",
        r"(?<=[.;:,!?(])",
        *(rf"(?<=\b{word}\s)" for word in ("please", "and", "but", "just", "then", "so")),
        r"(?<=\byou\sto\s)",
        r"(?<=\b(?:like|want)\sto\s)",
        r"(?<=\b(?:can|may)\s)",
        r"(?<=\bcould\s)",
    )
    + ")"
)
_PUT_ASIDE = _any(
    """
    ignore
    disregard
    skip
    omit
    exclude
    overlook
    drop
    forget(?: about)?
    never ?mind
    (?:leave|set|put) (?:out|aside)
    use nothing from
    (?:do not|don['’]?t|never) (?:use|take (?:it|anything) from|quote(?: from)?|cite|read|open|check|search(?: in)?)
    (?:do not|don['’]?t|never) (?:look (?:at|in|into)|consider|consult|include|count|trust|touch|mention|ask)
    (?:do not|don['’]?t|never) (?:rely on|refer to|draw on|go by|bother with|answer from|pay attention to)
    """
)
#: Groups of the patterns below that leave the file out, whatever else is named.
SAYS_SO = ("but", "leave", "left_out", "set_aside")
_MISSING = _any("(?:missing|absent|left out|lacking) (?:from|in|of)")
# "Leave a.txt out", "keep a.txt aside".
_OUT = r"\s+(?:out|aside|away)\b(?:\s+of\s+(?:it|this|that|your\s+answer|the\s+answer)\b)?"
_BUT_IN_TEXT = _either(
    _EXCEPT,
    _ALL_BUT,
    rf"(?:that|which|what)\s+{_NOT}\s+{_IN}",
    rf"(?:but|and)\s+{_NOT}(?:\s+{_IN})?",
)
_BUT = _either(
    rf"(?:\b(?:{_BUT_IN_TEXT})|{_ORDERED}(?:please\s+)?(?:{_PUT_ASIDE}))\s+",
    rf",\s*(?:bar|minus|{_NOT}(?:\s+{_IN})?)\s+",
)
_LEAVE = r"\b(?:leav(?:e|ing)|keep(?:ing)?|put(?:ting)?|set(?:ting)?)\s+"
_LACKING = rf"\b(?:{_NOT}\s+{_IN}|{_MISSING})\s+"
_JOINED = r"\b(?:but|that|which)\s+"
#: Before the name of a file.
BEFORE = f"(?:{_either(f'(?P<but>{_BUT})', f'(?P<leave>{_LEAVE})', f'(?P<not>{_LACKING})', _JOINED)})?"

# --- Korean, behind the name and its particle --------------------------------------------------------------------

_STANDS = _either(
    "나오",
    r"나와\s?있",
    "있",
    r"들어\s?있",
    r"들어가\s?있",
    r"적혀\s?있",
    r"쓰여\s?있",
    "언급되",
    r"언급되어\s?있",
    "포함되",
    r"포함되어\s?있",
    r"담겨\s?있",
)
_STANDS_NOT = rf"(?:{_STANDS})지\s?않(?:은|는|고|지만)"
_ENDS = r"(?=\s*(?:[.,;:!]|$))"
# "해도 되나요?" and "하는 이유는?" ask about it, "하라고 한 것은?" what it says.
_TOLD = rf"(?:고|면|되|세요|십시오|시고|자|라{_ENDS}|여)"
_DONE = rf"(?:줘|주|\s줘|\s주)[가-힣]*|(?:서|요)?{_ENDS}"
_READ = (
    r"(?:보|읽|쓰|사용하|이용하|활용하|참고하|참조하|고려하|포함하|포함시키|넣|열|믿|따르|반영하|언급하|확인하|의존하|건드리|다루"
    r"|생각하)"
)
_TAKEN = r"(?:찾|찾아보|가져오|인용하|검색하|고르|뽑)"
_NOT_TO = (
    rf"지(?:는|도)?\s?(?:말(?:고|되|아(?:\s?(?:줘|주)[가-힣]*|요)?{_ENDS}|라{_ENDS})|마(?:세요|시고|십시오|요|라)?{_ENDS}"
    r"|않고|않은\s?채)"
)
_WHY = r"(?!\s?(?:이유|까닭|사람|근거|것은))"
# "a.txt에서 제외한 비용" is left out by the file itself.
_LEFT_OUT = _either(
    "말고(?:는|도)?",
    # 제외하고, 제외한, 제외해 줘
    rf"(?:제외|배제|무시|생략)(?:하{_TOLD}|하고는|한{_WHY}|한\s채|해(?:{_DONE})|시키고|시켜(?:{_DONE})|{_ENDS})",
    # 빼고, 뺀, 빼 줘
    rf"빼(?:고는?|면|되|놓고|두고|자|라{_ENDS}|세요|십시오|시고|{_DONE})",
    rf"뺀{_WHY}",
    # 외에는, 이외의 모든
    "이?외(?:에(?:는|도)?|의)",
    r"이?외(?=\s(?:모든|다른|나머지|전부|전체))",
    r"아닌(?=\s(?:다른|나머지|파일|문서|곳|데))",
    "없이",
    "대신(?:에)?",
    r"(?:건너뛰|넘어가|접어\s?두|제쳐\s?두|제쳐\s?놓|논외로\s?하)고",
    # 보지 말고, 안 보고, 참고 금지
    rf"{_READ}{_NOT_TO}",
    r"안\s?(?:보고|쓰고|읽고|넣고)",
    rf"(?:사용|참고|참조)\s(?:말고|금지{_ENDS}|안\s?하고)",
)
_WHAT_IS_IN_IT = r"(?:(?:있는|나온|나오는|적힌|쓰인|담긴)\s)?(?:내용|자료|정보|값|것|하나)(?:은|는|을|를|도|만)?\s"
_NOT_IN_IT = r"(?<!에\s)(?<!에서\s)(?<!에는\s)(?<!에서는\s)"
_IS_NOT_THERE = _either("없(?:는|고|지만|으면서)", r"안\s?나(?:오는|온)", _STANDS_NOT)
#: Behind it and its particle.
BEHIND = (
    rf"(?P<left_out>\s?(?:{_WHAT_IS_IN_IT})?(?:{_TAKEN}{_NOT_TO}|{_NOT_IN_IT}(?:{_LEFT_OUT}))"
    rf"|(?<=[에는서도])\s?(?:전혀\s)?(?:{_IS_NOT_THERE}))?"
)

# --- English, behind the name ------------------------------------------------------------------------------------

# "With a.txt excluded, ...", not "Why is a.txt excluded?".
_PARTICIPLE = r"(?:left\s+out|excluded|excepted|ignored|disregarded|omitted|skipped)"
_SHOULD_BE = r"(?:(?:should|must|is\s+to|has\s+to)\s+be\s+)?"
_SHOULD_NOT_BE = r"(?:should|must|is)(?:n['’]t|\s+not)\s+(?:to\s+)?be\s+(?:used|read|considered|counted|included)"
_SET_ASIDE = _either(rf"{_SHOULD_BE}{_PARTICIPLE}", "aside", _SHOULD_NOT_BE)
#: Behind what is left out in English words.
OUT = rf"(?(leave){_OUT}|(?P<set_aside>\s+(?:{_SET_ASIDE})(?=\s*[.,;:!]))?)"
SAYS_NOT = (
    r"(?P<says_not>\s+(?:does|do|did)(?:n['’]t|\s+not)(?:\s+(?:say|mention|contain|have|cover|list|include|state))?\b)?"
)
