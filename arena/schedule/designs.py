"""Designs of trios for 3 to 50 players, as text; `arena.schedule.triples` reads them.

A player is one letter of `ALPHABET`, its place there its number; three letters are a table in the
order of its seats, a line of tables the play of one cycle.

`LISTED` holds whole legs, a line a cycle. 3 to 6 and 8 players: all trios once; 9: the affine
plane of order 3, in which any two meet once (Kirkman, "Query VI", Lady's and Gentleman's Diary,
1850). `CYCLIC` holds starters: a line stands for as many cycles as there are players, each got from
the one before by adding 1 to every number, modulo the players (Bose, "On the construction of
balanced incomplete block designs", Annals of Eugenics 9, 1939). In a starter every difference
between two of a table comes up twice, half the number of players once, so that any two meet twice a
leg; where the players do not divide so, one difference comes up once more or less. 22, 34 and 46
players need two starters: with one, the odd differences of all tables, even in number at each
table, would have to add up to an odd number. 7 players have five, all trios twice.

The starters were found by swapping players between tables as long as that brings the differences
nearer to these counts; that they are right is for the tests to show.
"""

from typing import Final

ALPHABET: Final = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN"

LISTED: Final[dict[int, tuple[str, ...]]] = {
    3: ("012",),
    6: (
        "102 435",
        "301 245",
        "014 523",
        "510 234",
        "023 451",
        "402 315",
        "025 143",
        "304 251",
        "530 142",
        "450 132",
    ),
    8: (
        "012 346",
        "013 452",
        "410 653",
        "501 374",
        "610 725",
        "017 326",
        "203 641",
        "402 765",
        "025 763",
        "602 753",
        "270 456",
        "340 715",
        "503 124",
        "360 547",
        "370 165",
        "405 672",
        "460 137",
        "074 352",
        "605 271",
        "057 123",
        "076 134",
        "521 746",
        "621 534",
        "531 264",
        "136 247",
        "514 237",
        "741 256",
        "167 432",
    ),
    9: ("201 345 876", "630 417 582", "048 516 723", "057 183 264"),
}
"""Whole legs by the number of players."""

CYCLIC: Final[dict[int, tuple[str, ...]]] = {
    4: ("012",),
    5: ("012", "013"),
    7: ("012 345", "013 245", "013 246", "014 236", "015 246"),
    10: ("068 147 235", "015 238 679"),
    11: ("139 256 48a",),
    12: ("862 95a 7b4 130",),
    13: ("04c 17a 39b 568",),
    14: ("014 27a 59b 68d",),
    15: ("02e 16c 3ab 49d 578",),
    16: ("036 1bf 249 5de 78c",),
    17: ("02b 17a 3fg 59c 68d",),
    18: ("01b 24e 37g 56h 89c adf",),
    19: ("07b 149 28i 35h 6cg def",),
    20: ("09c 1dj 27b 3gh 56a 8fi",),
    21: ("08e 1aj 249 3gk 56b 7hi cdf",),
    22: ("025 179 34d 6ej 8af bil cgk", "0cg 134 2di 56h 7ae 8fl bjk"),
    23: ("0ae 1ci 249 37g 56l 8bj hkm",),
    24: ("0bj 19k 2gh 3df 468 5mn 7ae cil",),
    25: ("02a 14h 378 5jn 69f bgm ceo dkl",),
    26: ("0in 15b 2df 3hm 47g 6lp 9aj cek",),
    27: ("08f 12c 39o 4mq 5jl 67p akn bgi deh",),
    28: ("16p 2ar 35i 4gk 7fl 8jq 9be cdm hno",),
    29: ("05b 1np 4el 69m 7go 8as ckq dhr fij",),
    30: ("0jp 17s 23g 459 6kn 8cr ahi blt dfm eoq",),
    31: ("047 18u 2hm 3kn 59o 6ci abs dlq fgp jrt",),
    32: ("03q 16l 2ae 78t 9jm bks cpu dfv gnr hio",),
    33: ("0ct 1an 2eh 38v 4bi 59k 6jm 7dl fgp ouw qrs",),
    34: (
        "0gt 17u 24b 39f 5kn 8ax clq deo hjw imv prs",
        "0mq 1il 2kw 34e 5jr 6du 7nx 8bf 9gh aot cpv",
    ),
    35: ("0by 1at 28m 3np 4rv 5il 6cg 7ow 9qx ejs fhk",),
    36: ("0xz 1mr 2eu 3aw 4dy 57p 6cn 8hv 9jl bos fgk iqt",),
    37: ("08b 12v 3hu 4qw 5ot 6ik 79r adz cgx ejn fpA lms",),
    38: ("0oy 13m 2eB 4rz 5aq 7dp 8jl 9hx bgk cnw isv tuA",),
    39: ("08A 14x 2ce 39u 57l 6qv apC bkt dhB fjw gno iyz mrs",),
    40: ("0dk 17s 25g 3ex 4AC 6mo 8fw 9lv arz bcB hqt ijn uyD",),
    41: ("039 1mr 2ij 4gy 5dw 6uE 7as 8eA bfq cho lzB nvx ptC",),
    42: ("0ex 1kw 2fD 3av 4lA 5gh 6jn 7cr 89b dtB ioE msu pqz yCF",),
    43: ("05h 13B 2nr 4ex 6cv 7dz 8gD ajG bsF fiq klA mpw oCE tuy",),
    44: ("0lE 1vH 3kr 4em 5hi 6DG 7dn 8bC 9fu aqz cyF gpA jwB stx",),
    45: ("01x 2AH 3dB 4jl 5CF 67u 8gz 9iw aeD bhr cpE fky mst nqv oGI",),
    46: (
        "0gs 1en 2kF 3ci 46h 59o 7vy 8mI alx bwB dfE jDG pAH qru tzJ",
        "01D 2gA 3kE 4pz 5wy 6dl 7vB 8bj 9mq aci efI nsx otC rFJ uGH",
    ),
    47: ("05k 1uF 23I 4AC 6ex 7gG 8vy 9qE asw bnJ cil doH fmK ptD rzB",),
    48: ("0cj 1lH 27h 3BC 49K 5fn 6qx 8tE aoG byz dAI egv ikm psL ruD wFJ",),
    49: ("07c 1el 2jB 3EM 4dG 5iq 6pF 8ny 9az bhr fAK kJL mDI osH twC uvx",),
    50: ("02I 1hD 3nu 49c 5jl 7EH 8vA agy bmM dsC ewJ fop izL ktN qxB rGK",),
}
"""Starters by the number of players."""
