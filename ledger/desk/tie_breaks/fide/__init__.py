"""The tie-breaks of FIDE's handbook, C.07 Play-Off and Tie-Break Regulations, by edition.

A code is written as in tournament reports: ``BH/C1``, ``DE/P``, ``KS/L+1``. The edition is that of
the tournament's first day (``unplayed_rounds``).

===================  ================================================  ====================
article              what                                              where
===================  ================================================  ====================
4.1, 5               the codes, what goes with each                    ``descriptors``
4.2                  one tie-break after the other                     ``desk.standings``
4.2                  drawing of lots                                   ``manual_1975``
4.4                  each game with an opponent counts                 ``unplayed_rounds``
6                    DE                                                ``direct_encounter``
7                    WIN WON BPG BWG PS REP STD TPN                    ``own_record``
8                    BH AOB FB                                         ``opposition``
9                    SB KS                                             ``opposition``
10                   ARO TPR PTP APRO APPO RTNG                        ``opponents_ratings``
11-13                BC TBR BBE, MPvGP ESB EDE SSSC, :GP               ``teams``
14                   cuts, medians, limit of KS                        ``modifiers``
15, 16               rounds that were not played                       ``unplayed_rounds``
3                    games to break a tie                              not here: pairings
16.6                 other rules of an event for unplayed rounds       not here
===================  ================================================  ====================
"""
